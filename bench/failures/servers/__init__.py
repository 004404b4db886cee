"""An Apache Kafka in KRaft mode, and an OpenSearch, each a process that can be killed and started again with its data.

The programs are jars, which `fetch` gets by Maven once. Both need Java 17.
"""
import contextlib
import json
import pathlib
import random
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


def fetch(name, jars):
    """The folder with the jars of kafka or search."""
    folder = pathlib.Path(jars) / name
    if not (folder / "done").exists():
        command = ["mvn", "-q", "-B", "-f", HERE / f"{name}.xml", "dependency:copy-dependencies", f"-DoutputDirectory={folder.absolute()}"]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
        (folder / "done").touch()
    return folder


def free_port(ports=None):
    for port in ports or [0]:
        with socket.socket() as listening:
            try:
                listening.bind(("127.0.0.1", port))
            except OSError:
                continue
            return listening.getsockname()[1]
    raise SystemExit("no port is free")


class Server:
    """A process of Java that answers from a port."""

    patience = 120

    def __init__(self, jars, work):
        self.jars, self.work, self.process = jars, work, None
        self.log = work.with_suffix(".log")

    def spawn(self, *arguments):
        with open(self.log, "ab") as log:
            # The runner of OpenSearch ends with its standard input.
            command = ["java", "-Xmx768m", "-cp", f"{self.jars}/*", *map(str, arguments)]
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=log, stderr=log)

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
    def __init__(self, jars, work):
        super().__init__(fetch("search", jars), work)
        # Two that start at the same moment would choose the same first one.
        self.port = free_port(random.sample(SEARCH_PORTS, len(SEARCH_PORTS)))
        self.address = f"127.0.0.1:{self.port}"

    def start(self):
        # Nodes of one name on a machine find each other, and share their documents.
        arguments = ["-basePath", self.work, "-clusterName", f"test{self.port}", "-numOfNode", "1", "-baseHttpPort", self.port - 1]
        self.spawn("org.codelibs.opensearch.runner.OpenSearchRunner", *arguments)
        self.wait()
        # Otherwise it refuses writes where 5 % of the disk are free, however many bytes that is.
        self.ask("/_cluster/settings", {"persistent": {"cluster.routing.allocation.disk.threshold_enabled": False}}, method="PUT")

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
        self.ask(f"/{index}/_refresh", {})
        found, documents = self.ask(f"/{index}/_search?scroll=1m", {"size": 5000}), {}
        while found["hits"]["hits"]:
            documents |= {hit["_id"]: hit["_source"] for hit in found["hits"]["hits"]}
            found = self.ask("/_search/scroll", {"scroll": "1m", "scroll_id": found["_scroll_id"]})
        return documents


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
