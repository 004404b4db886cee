"""An Apache Kafka in KRaft mode, and a search engine, each a process that can be killed and started again with its data.

The programs are jars, which `fetch` gets by Maven once. They need Java 17. Engines of 2025 and later need Java 21,
and Elasticsearch from version 8 on needs a JDK, which compiles Elasticsearch.java.
"""
import contextlib
import json
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).parent
# The runner of OpenSearch takes no port above 9299 for HTTP, and its node gets the one behind.
SEARCH_PORTS = range(9201, 9299)
# The search engines of search.xml, each with the least Java that it runs on.
ENGINES = {"opensearch-2.19.1": 17, "opensearch-3.8.0": 21, "elasticsearch-7.10.2": 17, "elasticsearch-8.19.21": 17, "elasticsearch-9.5.3": 21}
ENGINE = "opensearch-2.19.1"
RUNNERS = {"opensearch": "org.codelibs.opensearch.runner.OpenSearchRunner", "elasticsearch": "org.codelibs.elasticsearch.runner.ElasticsearchClusterRunner"}
# The first version of Elasticsearch that has no runner.
WITHOUT_RUNNER = 8


def fetch(name, jars):
    """The folder with the jars of kafka, or of one of the engines."""
    folder = pathlib.Path(jars) / name
    if not (folder / "done").exists():
        project = ["-f", HERE / "search.xml", "-P", name] if name in ENGINES else ["-f", HERE / f"{name}.xml"]
        command = ["mvn", "-q", "-B", *project, "dependency:copy-dependencies", f"-DoutputDirectory={folder.absolute()}"]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
        (folder / "done").touch()
    return folder


def java_for(engine):
    """The command of a Java on which an engine runs. `None` if there is none. An engine without a runner needs a compiler too."""
    least, program = ENGINES[engine], "java" if has_modules(engine) else "javac"
    if shutil.which(program) and java_version(subprocess.run(["java", "-version"], capture_output=True, text=True).stderr) >= least:
        return "java"
    homes = (release.parent for release in pathlib.Path("/usr/lib/jvm").glob("*/release") if java_version(release.read_text()) >= least)
    return next((str(home / "bin" / "java") for home in sorted(homes) if (home / "bin" / program).exists()), None)


def java_version(text):
    """The first number of a version in quotes, such as version "17.0.15"."""
    found = re.search(r'[vV](?:ersion|ERSION)[ =]"(\d+)', text)
    return int(found[1]) if found else 0


def free_port(ports=None):
    for port in ports or [0]:
        with socket.socket() as listening:
            try:
                listening.bind(("127.0.0.1", port))
            except OSError:
                continue
            return listening.getsockname()[1]
    raise SystemExit("no port is free")


def has_modules(engine):
    """Whether an engine has a runner here, and with it Painless and the deletion by a query."""
    product, version = engine.split("-")
    return product == "opensearch" or int(version.split(".")[0]) < WITHOUT_RUNNER


class Server:
    """A process of Java that answers from a port."""

    patience = 120
    java = "java"

    def __init__(self, jars, work):
        self.jars, self.work, self.process = jars, work, None
        self.log = work.with_suffix(".log")

    def spawn(self, *arguments):
        with open(self.log, "ab") as log:
            # The runner of OpenSearch ends with its standard input.
            command = [self.java, "-Xmx768m", "-cp", self.class_path(), *map(str, arguments)]
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=log, stderr=log)

    def class_path(self):
        return f"{self.jars}/*"

    def wait(self):
        end = time.monotonic() + self.patience
        while not self.answers():
            if time.monotonic() > end or self.process.poll() is not None:
                raise SystemExit(f"{type(self).__name__} does not start:\n{self.log.read_text()[-2000:]}")
            time.sleep(0.1)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Kafka(Server):
    def __init__(self, jars, work):
        super().__init__(fetch("kafka", jars), work)
        self.port, controller = free_port(), free_port()
        self.address = f"127.0.0.1:{self.port}"
        self.settings = work.with_suffix(".properties")
        self.settings.write_text(f"""\
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAINTEXT://{self.address},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAINTEXT://{self.address}
controller.listener.names=CONTROLLER
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs={work}
num.partitions=3
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
group.min.session.timeout.ms=1000
""")
        tool = ["java", "-cp", f"{self.jars}/*", "kafka.tools.StorageTool"]
        name = subprocess.run([*tool, "random-uuid"], check=True, capture_output=True, text=True).stdout.split()[-1]
        subprocess.run([*tool, "format", "-t", name, "-c", self.settings], check=True, capture_output=True)

    def start(self):
        self.spawn("kafka.Kafka", self.settings)
        self.wait()

    def answers(self):
        asked = subprocess.run(["kcat", "-b", self.address, "-L", "-m", "1"], capture_output=True)
        return asked.returncode == 0

    def produce(self, topic, lines):
        """Messages of KEY, tab and VALUE. An empty value removes."""
        command = ["kcat", "-b", self.address, "-P", "-t", topic, "-K", "\t", "-Z"]
        subprocess.run(command, check=True, input="".join(lines).encode())

    def consume(self, topic):
        """All values of a topic."""
        command = ["kcat", "-b", self.address, "-C", "-t", topic, "-e", "-q"]
        return subprocess.run(command, check=True, capture_output=True).stdout.decode().splitlines()


class Search(Server):
    """One node of an engine. Settings are those of its configuration file."""

    def __init__(self, jars, work, engine=ENGINE, settings=None):
        super().__init__(fetch(engine, jars), work)
        self.java = java_for(engine)
        if self.java is None:
            raise SystemExit(f"{engine} needs a JDK of version {ENGINES[engine]}, in the path or in /usr/lib/jvm")
        self.product, self.version = engine.split("-")
        # A runner makes a node that runs no pipelines.
        self.has_modules = has_modules(engine)
        # Two that start at the same moment would choose the same first one.
        self.port = free_port(random.sample(SEARCH_PORTS, len(SEARCH_PORTS)))
        self.address = f"127.0.0.1:{self.port}"
        self.url = f"{self.product}://{self.address}"
        self.settings = settings or {}

    def start(self):
        if self.has_modules:
            self.start_by_runner()
        else:
            self.start_node()
        self.wait()
        # Otherwise it refuses writes where 5 % of the disk are free, however many bytes that is.
        self.ask("/_cluster/settings", {"persistent": {"cluster.routing.allocation.disk.threshold_enabled": False}}, method="PUT")

    def start_by_runner(self):
        if self.settings:
            file = self.work / "node_1" / "config" / f"{self.product}.yml"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("".join(f"{name}: {value}\n" for name, value in self.settings.items()))
        # Nodes of one name on a machine find each other, and share their documents.
        arguments = ["-basePath", self.work, "-clusterName", f"test{self.port}", "-numOfNode", "1", "-baseHttpPort", self.port - 1]
        self.spawn(RUNNERS[self.product], *arguments)

    def start_node(self):
        module = self.work / "modules" / "transport-netty4"
        if not module.exists():
            module.mkdir(parents=True)
            (self.work / "config").mkdir()
            for jar in filter(of_module, self.jars.glob("*.jar")):
                (module / jar.name).symlink_to(jar.absolute())
            descriptor = {
                "name": module.name, "description": "HTTP", "version": self.version, "elasticsearch.version": self.version, "java.version": 17,
                "classname": "org.elasticsearch.transport.netty4.Netty4Plugin",
            }
            (module / "plugin-descriptor.properties").write_text("".join(f"{name}={value}\n" for name, value in descriptor.items()))
        settings = {
            "path.home": self.work, "cluster.name": f"test{self.port}", "node.name": "node", "discovery.type": "single-node",
            "http.port": self.port, "transport.port": free_port(), **self.settings,
        }
        self.spawn(HERE / "Elasticsearch.java", *(f"{name}={value}" for name, value in settings.items()))

    def class_path(self):
        # The jars of a module may not be in the path too.
        return super().class_path() if self.has_modules else ":".join(str(jar) for jar in self.jars.glob("*.jar") if not of_module(jar))

    def answers(self):
        try:
            health = self.ask("/_cluster/health")
        except (urllib.error.URLError, OSError):
            return False
        return health["status"] in ("green", "yellow") and health["initializing_shards"] == 0

    def ask(self, path, body=None, method=None):
        request = urllib.request.Request(f"http://{self.address}{path}", headers={"Content-Type": "application/json"}, method=method)
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(request, data, timeout=60) as answer:
            return json.load(answer)

    def documents(self, index):
        """All documents of an index, by their ids."""
        self.ask(f"/{index}/_refresh", method="POST")
        found, documents = self.ask(f"/{index}/_search?scroll=1m", {"size": 5000}), {}
        while found["hits"]["hits"]:
            documents |= {hit["_id"]: hit["_source"] for hit in found["hits"]["hits"]}
            found = self.ask("/_search/scroll", {"scroll": "1m", "scroll_id": found["_scroll_id"]})
        return documents


def of_module(jar):
    """Whether a jar of Elasticsearch belongs to its module for HTTP."""
    return jar.name.startswith(("netty-", "transport-netty4-"))


def newest(product):
    """The newest engine of a product for which there is a Java."""
    return next(engine for engine in reversed(ENGINES) if engine.startswith(f"{product}-") and java_for(engine))


def option(parser):
    """Adds the option that chooses the engine."""
    parser.add_argument("--engine", choices=ENGINES, default=ENGINE, help="the search engine and its version")


class Redis:
    """A Redis that writes each change to the disk before it answers."""

    def __init__(self, work):
        self.work, self.port, self.process = work, free_port(), None
        self.address = f"redis://127.0.0.1:{self.port}"
        work.mkdir()

    def start(self):
        command = ["redis-server", "--bind", "127.0.0.1", "--port", str(self.port), "--save", "", "--appendonly", "yes"]
        command += ["--appendfsync", "always", "--dir", self.work]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while True:
            with socket.socket() as connection:
                if connection.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.02)

    def kill(self):
        self.process.kill()
        self.process.wait()


@contextlib.contextmanager
def ending(processes, logs=()):
    """Kills all processes at the end, also those that were stopped. Shows the ends of the logs if something failed."""
    try:
        yield
    except BaseException:
        for log in logs:
            print(log.read_text()[-2000:] if log.exists() else "", file=sys.stderr)
        raise
    finally:
        for process in processes:
            if process.process is not None:
                process.process.send_signal(signal.SIGCONT)
                process.kill()


def remove(folder):
    shutil.rmtree(folder, ignore_errors=True)
