"""A Spark cluster on this machine: a master and workers, each a process of its own, as on many machines."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from typing import Any

import pyspark

HOME = pathlib.Path(pyspark.__file__).parent
MASTER = "org.apache.spark.deploy.master.Master"
WORKER = "org.apache.spark.deploy.worker.Worker"


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def environment() -> dict[str, str]:
    """The environment of all processes of the cluster."""
    path = os.pathsep.join([os.environ.get("PATH", ""), os.defpath])
    return {
        **os.environ,
        "PATH": path,
        "SPARK_HOME": str(HOME),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONWARNINGS": "ignore",
    }


class Cluster:
    """A master and two workers of one core each."""

    def __init__(self, folder: pathlib.Path, workers: int = 2, memory: str = "2g") -> None:
        self.folder, self.memory = folder, memory
        self.port, self.page = free_port(), free_port()
        self.url = f"spark://127.0.0.1:{self.port}"
        self.started = 0
        master = ["--host", "127.0.0.1", "--port", str(self.port), "--webui-port", str(self.page)]
        self.master = self._process("master", MASTER, *master)
        self.workers: dict[int, subprocess.Popen[bytes]] = {}
        for _ in range(workers):
            self.add_worker()
        try:
            self.wait_for(workers)
        except BaseException:
            self.stop()
            raise

    def add_worker(self) -> None:
        """Starts one more worker. Its port names it in the pages of Spark."""
        port = free_port()
        place = ["--host", "127.0.0.1", "--port", str(port), "--webui-port", str(free_port())]
        size = ["--cores", "1", "--memory", self.memory, "-d", str(self.folder / f"worker-{self.started}")]
        self.workers[port] = self._process(f"worker-{self.started}", WORKER, *place, *size, self.url)
        self.started += 1

    def wait_for(self, workers: int) -> None:
        """Waits until so many workers are alive."""
        for _ in range(600):
            if len(self.alive()) >= workers:
                return
            time.sleep(0.1)
        raise RuntimeError(f"the master has not {workers} workers after a minute: see {self.folder}/*.log")

    def alive(self) -> list[dict[str, Any]]:
        """The workers that the master knows to be alive."""
        try:
            state = asked(f"http://127.0.0.1:{self.page}/json/")
        except (OSError, ValueError):
            # It starts: its page is not there, or is not JSON yet.
            return []
        return [worker for worker in state["workers"] if worker["state"] == "ALIVE"]

    def kill_worker(self, port: int) -> list[int]:
        """Kills a worker and its executors by SIGKILL, as if its machine were gone. Returns the ids of the processes."""
        worker = self.workers.pop(port)
        killed = [worker.pid, *children(worker.pid)]
        for process in killed:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        worker.wait()
        return killed

    def stop(self) -> None:
        """Ends all processes of the cluster."""
        for port in list(self.workers):
            self.kill_worker(port)
        self.master.kill()
        self.master.wait()

    def _process(self, name: str, *words: str) -> subprocess.Popen[bytes]:
        with open(self.folder / f"{name}.log", "wb") as log:
            command = [str(HOME / "bin/spark-class"), *words]
            return subprocess.Popen(command, env=environment(), stdout=log, stderr=subprocess.STDOUT)


def asked(address: str) -> Any:
    """What a page of Spark says as JSON."""
    with urllib.request.urlopen(address, timeout=5) as answer:
        return json.load(answer)


def children(process: int) -> list[int]:
    """All processes below a process, by /proc."""
    parents: dict[int, list[int]] = {}
    for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        parents.setdefault(int(fields[1]), []).append(int(entry.parent.name))
    found, left = [], [process]
    while left:
        below = parents.get(left.pop(), [])
        found += below
        left += below
    return found


def fresh(folder: pathlib.Path) -> pathlib.Path:
    """An empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
