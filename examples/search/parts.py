"""The processes that the example starts: Kafka, a search engine and lookalike stream."""
import contextlib
import pathlib
import signal
import subprocess
import sys
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench" / "failures"))
import servers

# How long a process may take to end by itself: the stream takes ten seconds at most for what it has read.
PATIENCE = 20
# Many pages of the book are short: a title in another language takes a copy below the default of 0.8.
THRESHOLD = "0.7"


class Signals:
    """Ctrl-C, SIGTERM and SIGHUP raise KeyboardInterrupt, but not while they are held."""

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    def __init__(self):
        self.holding, self.came = False, False

    def listen(self):
        for number in self.numbers:
            signal.signal(number, self.arrive)

    def ignore(self):
        for number in self.numbers:
            signal.signal(number, signal.SIG_IGN)

    def arrive(self, *_):
        self.came = True
        if not self.holding:
            raise KeyboardInterrupt

    @contextlib.contextmanager
    def hold(self):
        """Without this, a signal between the start of a process and the assignment of it would leave the process running."""
        self.holding = True
        try:
            yield
        finally:
            self.holding = False
        if self.came:
            raise KeyboardInterrupt


signals = Signals()


class Part:
    def spawn(self, *arguments):
        with signals.hold():
            super().spawn(*arguments)

    def stop(self):
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()

    def check(self):
        if self.process.poll() is not None:
            sys.exit(f"{type(self).__name__} has ended:\n{self.log.read_text()[-2000:]}")


class Kafka(Part, servers.Kafka):
    def send(self, topic, messages):
        """Sends messages of a key and a value, which are bytes, to one partition, so that they are read in this order."""
        # Pages have line ends and tabs. They have no separators of records and units, which mean nothing in HTML.
        command = ["kcat", "-b", self.address, "-P", "-t", topic, "-p", "0", "-K", "\x1f", "-D", "\x1e"]
        # A page may be larger than a message of Kafka (1 MB), and is far smaller when it is compressed.
        command += ["-z", "gzip", "-X", "message.max.bytes=100000000"]
        with subprocess.Popen(command, stdin=subprocess.PIPE) as sender:
            for key, value in messages:
                sender.stdin.write(key + b"\x1f" + value.replace(b"\x1e", b" ") + b"\x1e")
        if sender.returncode != 0:
            sys.exit("kcat could not send all pages")


class Search(Part, servers.Search):
    """The search engine."""


class StreamProcess:
    def spawn(self, *command):
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=log)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Stream(Part, StreamProcess):
    """lookalike stream, from the topic to the search engine."""

    def __init__(self, program, kafka, search, work):
        self.port, self.log, self.process = servers.free_port(), work / "stream.log", None
        self.command = [
            program, "stream", "--format", "html", "--from", f"kafka://{kafka.address}/pages", "--to", f"{search.url}/pages",
            "--index", work / "seen.index", "--threshold", THRESHOLD, "--listen", f"127.0.0.1:{self.port}",
        ]

    def start(self):
        self.spawn(*self.command)

    def figure(self, name):
        """A figure of its metrics, which is 0 before it answers."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=5) as answer:
                lines = answer.read().decode().splitlines()
        except OSError:
            return 0
        return next((int(line.split()[1]) for line in lines if line.startswith(f"{name} ")), 0)
