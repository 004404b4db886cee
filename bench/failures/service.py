"""A `lookalike serve` that the scripts of this folder start, ask, kill and start again. Only 127.0.0.1 is used."""
import contextlib
import http.client
import json
import os
import pathlib
import re
import signal
import subprocess
import threading
import time
import urllib.parse

JSON = {"content-type": "application/json"}


class Gone(Exception):
    """The service ended before it answered."""


class Slow(Exception):
    """The service did not answer in time."""


class Refused(Exception):
    """The service did not start. The message is what it printed."""


def text_of(family, variant=0, words=60):
    """A text of a family. All texts of a family are similar, and texts of different families share nothing."""
    return " ".join(f"f{family}w{word}" for word in range(words)) + f" variant{variant}"


class Service:
    """A service in a process of its own. `program` is `lookalike`, or the example `small_files` of the service."""

    def __init__(self, program, folder, options=(), around=(), environment=None, prepare=None, patience=60):
        program, folder = pathlib.Path(program).resolve(), pathlib.Path(folder)
        command = [program, folder] if program.name == "small_files" else [program, "serve", "--index", folder, "--listen", "127.0.0.1:0"]
        self.log = bytearray()
        # A pipe, as a limit on the size of its files would cut off what it prints.
        self.process = subprocess.Popen(
            [*around, *command, *options], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
            env={**os.environ, **(environment or {})}, preexec_fn=prepare,
        )
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        self.is_wrapped = bool(around)
        self.address = None
        end = time.monotonic() + patience
        while self.address is None:
            printed = self.printed()
            if found := re.search(r"http://([\d.]+):(\d+)", printed):
                self.address = found[1], int(found[2])
            elif self.process.poll() is not None:
                self.reader.join()
                raise Refused(self.printed())
            elif time.monotonic() > end:
                self.kill()
                raise Refused(f"no address after {patience} s: {printed}")
            else:
                time.sleep(0.005)

    def read(self):
        while part := self.process.stderr.read1(1 << 16):
            self.log += part

    def printed(self):
        return self.log.decode(errors="replace")

    def pid(self):
        """The service itself, which may have a process around it. None if it has ended."""
        if not self.is_wrapped:
            return self.process.pid
        with contextlib.suppress(OSError):
            for child in pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split():
                return int(child)
        return None

    def signal(self, number):
        if pid := self.pid():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def kill(self):
        """SIGKILL, also if it has ended already."""
        self.signal(signal.SIGKILL)
        self.process.wait()

    def stop(self, patience=60):
        """SIGTERM, and its exit code."""
        self.signal(signal.SIGTERM)
        return self.process.wait(patience)

    def client(self, patience=30):
        return Client(self.address, patience)


class Client:
    """A connection, which is opened again if the service closes it."""

    def __init__(self, address, patience=30):
        self.connection = http.client.HTTPConnection(*address, timeout=patience)

    def ask(self, method, path, body=None):
        """The status and the JSON of an answer."""
        data = None if body is None else json.dumps(body)
        try:
            self.connection.request(method, path, data, JSON)
            answer = self.connection.getresponse()
            content = answer.read()
        except TimeoutError as error:
            raise Slow(f"{method} {path} has no answer") from error
        except (OSError, http.client.HTTPException) as error:
            self.connection.close()
            raise Gone(str(error)) from error
        return answer.status, json.loads(content) if content[:1] in (b"{", b"[") else content.decode()

    def add(self, id, text, **more):
        return self.ask("POST", "/v1/documents", {"id": id, "text": text, **more})

    def put(self, id, text):
        return self.ask("PUT", path_of(id), {"text": text})

    def remove(self, id):
        return self.ask("DELETE", path_of(id))

    def read(self, id):
        return self.ask("GET", path_of(id) + "?include=text")

    def check(self, text):
        return self.ask("POST", "/v1/check", {"text": text})

    def bulk(self, op, lines):
        """Yields the answer of each line, and then the totals."""
        try:
            self.connection.request("POST", f"/v1/bulk?op={op}", "".join(json.dumps(line) + "\n" for line in lines), JSON)
            answer = self.connection.getresponse()
            while line := answer.readline():
                if not line.endswith(b"\n"):
                    raise Gone("an answer is cut off")
                yield json.loads(line)
        except TimeoutError as error:
            raise Slow("bulk lines have no answer") from error
        except (OSError, http.client.HTTPException) as error:
            self.connection.close()
            raise Gone(str(error)) from error


def path_of(id):
    return "/v1/documents/" + urllib.parse.quote(id, safe="")
