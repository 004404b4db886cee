"""Runs a command in the folder of a case, and collects its outputs."""

import json
import os
import resource
import shutil
import subprocess
import tomllib
from dataclasses import dataclass

CHANGING = ["seconds", "peak_memory_bytes", "spilled"]


class Failure(Exception):
    """A check failed."""


def check(holds, said):
    if not holds:
        raise Failure(said)


@dataclass
class Ran:
    """The exit code of a command, and the files that it wrote."""

    command: str
    code: int
    stderr: str
    files: dict
    summary: dict | None

    def rows(self, name):
        return [json.loads(line.lstrip("\ufeff"), object_pairs_hook=once) for line in self.files[name].decode().split("\n") if line.strip("\ufeff \t\r")]


def once(pairs):
    """An object in which no key of the program occurs twice."""
    keys = [key for key, _ in pairs if key != "text"]
    check(len(keys) == len(set(keys)), f"a key occurs twice: {keys}")
    return dict(pairs)


class Runner:
    """Runs a program in a folder. It writes to the folder `out`, which is new for each run."""

    def __init__(self, program, folder):
        self.program, self.folder, self.commands, self.codes = program, folder, [], []

    def run(self, arguments, keep=None, file_bytes=None, **environment):
        """Runs a command and checks the rules of every run. If `keep` is given, the outputs stay in a folder of this name."""
        out = os.path.join(self.folder, "out")
        shutil.rmtree(out, ignore_errors=True)
        os.mkdir(out)
        before = tree(self.folder)
        limit = [] if file_bytes is None else [f"(no file above {file_bytes} bytes)"]
        shown = " ".join(limit + [f"{name}={value}" for name, value in environment.items()] + ["lookalike"] + [quoted(a) for a in arguments])
        self.commands.append(shown)
        ran = subprocess.run(
            [self.program, *arguments], cwd=self.folder, env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=False,
            preexec_fn=None if file_bytes is None else lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes)),
        )
        self.codes.append(ran.returncode)
        stderr = ran.stderr.decode("utf-8", "replace")
        check(ran.returncode in (0, 1, 2, 3), f"{shown}: ended with {ran.returncode}: {stderr}")
        check("panicked" not in stderr and "RUST_BACKTRACE" not in stderr, f"{shown}: {stderr}")
        after = tree(self.folder)
        new = {name for name in after if name not in before}
        if ran.returncode in (1, 2):
            check(after == before, f"{shown}: failed, and left {sorted(new) or 'other files than there were'}")
            check(stderr.startswith("error: ") or "\nerror: " in stderr, f"{shown}: failed without a message: {stderr}")
        check(all(name.startswith("out/") for name in new), f"{shown}: wrote {sorted(new)}")
        odd = [name for name in new if any(part.startswith(".") for part in name.split("/")) or "part" in name]
        check(not odd, f"{shown}: left {odd}")
        files = {name[4:]: read(os.path.join(self.folder, name)) for name in sorted(new)}
        if keep:
            shutil.rmtree(os.path.join(self.folder, keep), ignore_errors=True)
            os.rename(out, os.path.join(self.folder, keep))
        summary = json.loads(files["summary.json"]) if "summary.json" in files else None
        if summary is not None and ran.returncode in (0, 3):
            check((ran.returncode == 3) == (summary["skipped"] > 0), f"{shown}: {ran.returncode}, {summary['skipped']} skipped")
            listed = sum(line.startswith("skipped ") for line in stderr.splitlines())
            check((listed > 0) == (summary["skipped"] > 0), f"{shown}: {summary['skipped']} skipped, {listed} named: {stderr}")
        return Ran(shown, ran.returncode, stderr, files, summary)


    def run_beside(self, arguments, place):
        """Runs a command that makes or changes `place`, and returns its exit code."""
        ran = subprocess.run([self.program, *arguments], cwd=self.folder, capture_output=True, timeout=120, check=False)
        shown = " ".join(["lookalike", *map(quoted, arguments)])
        self.commands.append(shown)
        self.codes.append(ran.returncode)
        stderr = ran.stderr.decode("utf-8", "replace")
        check(ran.returncode in (0, 1, 2, 3) and "panicked" not in stderr, f"{shown}: ended with {ran.returncode}: {stderr}")
        left = [name for name in tree(self.folder) if name.startswith(".") or ".part" in name]
        check(not left, f"{shown}: left {left} beside {place}")
        return ran.returncode


def same(first, second):
    """Both runs have the same exit code, messages and files."""
    why = f"{first.command}\n{second.command}\n"
    check(first.code == second.code, f"{why}ended with {first.code} and {second.code}: {first.stderr} {second.stderr}")
    check(first.stderr == second.stderr, f"{why}said {first.stderr!r} and {second.stderr!r}")
    check(first.files.keys() == second.files.keys(), f"{why}wrote {list(first.files)} and {list(second.files)}")
    for name, content in first.files.items():
        if name == "summary.json":
            left, right = without_changing(first.summary), without_changing(second.summary)
            differ = [key for key in left.keys() | right.keys() if left.get(key) != right.get(key)]
            check(not differ, f"{why}the summaries differ in {[(key, left.get(key), right.get(key)) for key in differ]}")
        elif name == "summary.toml":
            left, right = settings(content), settings(second.files[name])
            check(left == right, f"{why}the settings differ: {left} and {right}")
        elif name != "report.html":
            check(content == second.files[name], f"{why}{name} differs")


def without_changing(summary):
    """A summary without measured values."""
    summary = json.loads(json.dumps(summary))
    for name in CHANGING:
        summary.pop(name, None)
    summary.get("monitoring", {}).pop("compared_per_second", None)
    summary.get("plan", {}).pop("reason", None)
    return summary


def settings(content):
    """The settings of a run without the options in which the runs may differ."""
    return {key: value for key, value in tomllib.loads(content.decode()).items() if key not in ("threads", "memory")}


def tree(folder):
    """Every file below a folder, with its length and time."""
    found = {}
    for at, _, names in os.walk(os.fsencode(folder)):
        for name in names:
            path = os.path.join(at, name)
            stat = os.lstat(path)
            found[os.fsdecode(os.path.relpath(path, os.fsencode(folder)))] = (stat.st_size, stat.st_mtime_ns)
    return found


def read(path):
    with open(path, "rb") as file:
        return file.read()


def quoted(argument):
    return argument if argument.replace("/", "").replace(".", "").replace("-", "").replace("_", "").isalnum() else "'" + argument + "'"
