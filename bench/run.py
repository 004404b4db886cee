#!/usr/bin/env python3
"""Runs Lookalike and the peers side by side and writes one table of record.

    run.py [--corpus C.jsonl --truth T.tsv] [--peers daft rensa@50000 text-dedup@10000x1 ...] [--rounds 3] [--name NAME]

Measured    The whole process, from start to end: wall seconds, CPU seconds (user + system, with its children) and peak
            resident memory (of the largest process, if a peer starts several). Documents/s and MB/s use the wall
            median. A MB is 10^6 bytes of JSONL. Precision, recall and F1 are of clusters (see score.py), computed once.
Rounds      A B C A B C ..., after one warm-up round that is not counted. Other load on the machine then affects all runs.
            Ratios are peer / Lookalike within a round, and the table has their median. Such ratios hold on a shared machine.
            Before each run its outputs are removed and all pending writes are finished. Replacing a file would make ext4
            write all of it at once, and the writes of earlier runs would slow this one down.
Peers       NAME, NAME@N (on a smaller corpus) or NAME@NxR (in R rounds, without warm-up if R is 1). The smaller
            corpus is CORPUS-N.jsonl with its own truth, if `corpus.py --documents N` made it, else the first N documents.
            Lookalike runs on the same corpus in the same rounds, so each ratio compares runs on equal input.
Lookalike   `lookalike dedup CORPUS -o OUT.jsonl --clusters C.jsonl --summary S.json --threads 2 --tokens whitespace`.
            The peers and the truth use whitespace tokens too. Unlike most peers, Lookalike also writes the kept
            texts. The peers called NAME-kept do the same job. `--variant NAME=ARGUMENTS` runs Lookalike once more
            with other arguments.
Writes      RESULTS/DATE-NAME.md: the table, the machine, the corpus, the command line, and every single run.
"""

import argparse
import datetime
import json
import os
import platform
import re
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

BENCH = Path(__file__).resolve().parent
ROOT = BENCH.parent

# name: (environment under WORK/venvs, script in peers/, options)
PEERS = {
    "daft": ("peers", "daft_minhash.py", []),
    "rensa": ("peers", "rensa_rminhash.py", []),
    "gaoya": ("peers", "gaoya_minhash.py", []),
    "datasketch-xxh3": ("peers", "datasketch_minhash.py", ["--xxh3"]),
    "datasketch": ("peers", "datasketch_minhash.py", []),
    "text-dedup": ("text-dedup", "text_dedup_minhash.py", []),
    "datatrove": ("datatrove", "datatrove_minhash.py", []),
    # The whole job: the kept documents are written too, as Lookalike, text-dedup and datatrove always do.
    "daft-kept": ("peers", "daft_minhash.py", ["--kept"]),
    "rensa-kept": ("peers", "rensa_rminhash.py", ["--kept"]),
    "gaoya-kept": ("peers", "gaoya_minhash.py", ["--kept"]),
    "datasketch-xxh3-kept": ("peers", "datasketch_minhash.py", ["--xxh3", "--kept"]),
}
DEFAULT_PEERS = (
    "daft daft-kept rensa-kept gaoya gaoya-kept datasketch-xxh3@50000 datasketch@10000 text-dedup@10000 datatrove@10000x1"
).split()
REFERENCE = "lookalike"


@dataclass
class Run:
    """One process from start to end, in seconds and bytes."""

    wall: float
    cpu: float
    memory: int


@dataclass
class Contestant:
    """A program that runs. `documents` and `rounds` are None for the whole corpus and all rounds."""

    name: str
    command: list
    found: Path
    outputs: list  # what a run writes, beside its log
    runs: dict = field(default_factory=dict)  # round: Run
    failure: str | None = None
    crashes: int = 0
    score: dict | None = None


def measure(command, log, timeout):
    """Runs one process to its end. Returns Run, or the failure as text."""
    with open(log, "ab") as errors:
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=errors, stderr=errors, start_new_session=True)
        expired = threading.Event()

        def stop():
            expired.set()
            os.killpg(process.pid, signal.SIGKILL)

        timer = threading.Timer(timeout, stop)
        timer.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:  # Ctrl-C: the process has its own session and would continue without us
            stop()
            raise
        wall = time.monotonic() - start
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)  # already waited for, and Popen must not wait again
    if expired.is_set():
        return f"stopped after {timeout:.0f} s"
    if process.returncode:
        return f"exit code {process.returncode}"
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def clean_run(contestant, runs, timeout):
    """One run, after outputs of earlier runs are removed and pending writes are finished."""
    for output in contestant.outputs:
        if output.is_dir():
            shutil.rmtree(output)
        output.unlink(missing_ok=True)
    os.sync()
    return measure(contestant.command, runs / f"{contestant.name}.log", timeout)


@dataclass
class Group:
    """Contestants on one corpus or a part of it. The first is the reference."""

    corpus: Path
    truth: Path
    documents: int
    size: int
    rounds: int
    contestants: list


def sliced(args, documents, runs):
    """(corpus, truth) of about `documents` documents: a corpus made at that size, or the first lines of the corpus.

    A corpus made at that size is better, because the first lines lack most copies of their documents.
    """
    if documents is None:
        return args.corpus, args.truth
    made = args.corpus.with_name(f"{args.corpus.stem}-{documents}.jsonl")
    if made.exists() and made.with_suffix(".ws.tsv").exists():
        return made, made.with_suffix(".ws.tsv")
    target = runs / f"{args.corpus.stem}-first-{documents}.jsonl"
    with args.corpus.open("rb") as lines, target.open("wb") as sink:
        for _, line in zip(range(documents), lines):
            sink.write(line)
    return target, args.truth


def groups_of(args, runs):
    """One group per slice and number of rounds, each with Lookalike in front."""
    wanted = {}
    for word in args.peers:
        match = re.fullmatch(r"([a-z0-9-]+?)(?:@(\d+))?(?:x(\d+))?", word)
        if not match or match[1] not in PEERS:
            sys.exit(f"run.py: no peer {word}; known: {' '.join(PEERS)}, with @DOCUMENTS and xROUNDS after it")
        key = (int(match[2]) if match[2] else args.slice, int(match[3]) if match[3] else args.rounds)
        wanted.setdefault(key, []).append(match[1])
    if not wanted:
        wanted[(args.slice, args.rounds)] = []
    groups = []
    for (documents, rounds), names in wanted.items():
        corpus, truth = sliced(args, documents, runs)
        with corpus.open("rb") as lines:
            count = sum(1 for _ in lines)
        label = f"{count}x{rounds}"
        contestants = []
        variants = {REFERENCE: "--threads 2 --tokens whitespace", **dict(v.split("=", 1) for v in args.variant)}
        for name, options in variants.items():
            out = runs / f"{name}-{label}"
            found = Path(f"{out}.clusters.jsonl")
            command = [args.lookalike, "dedup", corpus, "-o", f"{out}.jsonl", "--clusters", found,
                       "--summary", f"{out}.summary.json", *shlex.split(options)]
            outputs = [Path(f"{out}.jsonl"), found, Path(f"{out}.summary.json")]
            contestants.append(Contestant(name, [str(word) for word in command], found, outputs))
        for name in names:
            environment, script, options = PEERS[name]
            python = args.work / "venvs" / environment / "bin" / "python"
            found = runs / f"{name}-{label}.tsv"
            command = [python, BENCH / "peers" / script, corpus, found, *options]
            contestant = Contestant(name, [str(word) for word in command], found, [found, Path(f"{found}.kept")])
            if not python.exists():
                contestant.failure = "not installed"
            contestants.append(contestant)
        groups.append(Group(corpus, truth, count, corpus.stat().st_size, rounds, contestants))
    return groups


def wrongly_kept(contestant, documents):
    """The error, if the number of kept documents does not fit the clusters."""
    clusters = [line.rstrip("\n").split("\t") for line in contestant.found.open(encoding="utf-8")]
    expected = documents - len(clusters) + len({cluster for _, cluster in clusters})
    kept = Path(f"{contestant.found}.kept")
    lines = 0
    for part in kept.iterdir() if kept.is_dir() else [kept]:
        with part.open("rb") as file:
            lines += sum(1 for _ in file)
    return None if lines == expected else f"{lines} documents kept, {expected} expected"


def run_group(group, args, runs):
    """Runs the rounds. A failed contestant is tried once more, and left out if it fails again."""
    warm_up = group.rounds > 1
    for number in range(0 if warm_up else 1, group.rounds + 1):
        for contestant in group.contestants:
            if contestant.failure:
                continue
            result = clean_run(contestant, runs, args.timeout)
            if isinstance(result, str):
                contestant.crashes += 1
                print(f"{contestant.name}: {result}; once more", file=sys.stderr)
                result = clean_run(contestant, runs, args.timeout)
            if not isinstance(result, str) and contestant.name.endswith("-kept"):
                result = wrongly_kept(contestant, group.documents) or result
            if isinstance(result, str):
                contestant.failure = result
            elif number > 0:
                contestant.runs[number] = result
            shown = result if isinstance(result, str) else f"{result.wall:8.2f} s"
            print(f"{group.documents} documents, round {number}: {contestant.name:16} {shown}", file=sys.stderr)
    for contestant in group.contestants:
        if contestant.runs and contestant.found.exists():
            # In another process, because the peak memory of a child includes the memory of this process at the fork.
            command = [sys.executable, BENCH / "score.py", contestant.found, "--truth", group.truth,
                       "--within", group.corpus, "--json"]
            contestant.score = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def spread(values, digits):
    """median (min–max)"""
    if len(values) == 1:
        return f"{values[0]:.{digits}f}"
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f}–{max(values):.{digits}f})"


def ratio(contestant, reference, of):
    """Ratios within each round that both completed."""
    shared = [of(run) / of(reference.runs[n]) for n, run in contestant.runs.items() if n in reference.runs]
    return spread(shared, 1) if shared and contestant is not reference else "1" if shared else "–"


def table(groups):
    lines = [
        "| | documents | rounds | wall s | CPU s | documents/s | MB/s | peak MB | precision | recall | F1 | wall ÷ Lookalike"
        " | CPU ÷ Lookalike |",
        "|---|---" + "|---:" * 11 + "|",
    ]
    for group in groups:
        reference = group.contestants[0]
        for contestant in group.contestants:
            cells = [contestant.name, f"{group.documents:,}"]
            if not contestant.runs:
                lines.append("| " + " | ".join(cells + ["0", contestant.failure or "not run"] + ["–"] * 9) + " |")
                continue
            runs = list(contestant.runs.values())
            wall = statistics.median(run.wall for run in runs)
            cells += [
                str(len(runs)),
                spread([run.wall for run in runs], 2),
                spread([run.cpu for run in runs], 2),
                f"{group.documents / wall:,.0f}",
                f"{group.size / wall / 1e6:.1f}",
                f"{max(run.memory for run in runs) / 1e6:,.0f}",
            ]
            closure = (contestant.score or {}).get("closure")
            cells += [f"{closure[key]:.4f}" for key in ("precision", "recall", "f1")] if closure else ["–"] * 3
            cells += [ratio(contestant, reference, lambda run: run.wall), ratio(contestant, reference, lambda run: run.cpu)]
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def output_of(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def machine():
    """CPU, cores, memory, kernel, compilers: one line each."""
    cpu = re.search(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text())
    numbers = re.search(r"cpu family\s*:\s*(\d+)\nmodel\s*:\s*(\d+)", Path("/proc/cpuinfo").read_text())
    memory = int(re.search(r"MemTotal:\s*(\d+)", Path("/proc/meminfo").read_text())[1]) / 1048576
    family = f" (family {numbers[1]}, model {numbers[2]})" if numbers else ""
    return [
        f"CPU: {cpu[1] if cpu else platform.machine()}{family}, {len(os.sched_getaffinity(0))} cores; {memory:.0f} GiB memory",
        f"Kernel {platform.release()}; {output_of('rustc', '--version')}; Python {platform.python_version()}",
    ]


def shown_command(arguments):
    """The command line without any machine's folders in it."""
    return shlex.join(["bench/run.py", *(re.sub(r"(?<![\w.])/(?:[^/=\s]+/)*", "", word) for word in arguments)])


def described(corpus, truth):
    """One line on a corpus, from its manifest if it has one, and on its truth."""
    with truth.open("rb") as lines:
        pairs = f"truth {truth.name}, {sum(1 for _ in lines):,} pairs"
    path = corpus.with_suffix(".manifest.json")
    if not path.exists():
        return f"Corpus: {corpus.name}; {pairs}"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    return (
        f"Corpus: {corpus.name}, {manifest['documents']:,} documents, {manifest['bytes'] / 1e6:.1f} MB,"
        f" {manifest['words']:,} words, {manifest['planted_copies']:,} planted copies, seed {manifest['seed']},"
        f" {len(manifest['packages'])} packages, sha256 {manifest['sha256']}; {pairs}"
    )


def report(groups, args, started, load_before):
    corpora = {group.corpus: group.truth for group in groups}
    facts = [
        f"Date: {started:%Y-%m-%d %H:%M} UTC; commit {output_of('git', 'rev-parse', '--short', 'HEAD')}",
        *machine(),
        f"Load average before {load_before:.2f}, after {os.getloadavg()[0]:.2f}",
        *(described(corpus, truth) for corpus, truth in corpora.items()),
        f"Command: `{shown_command(sys.argv[1:])}`",
    ]
    single = ["| | documents | round | wall s | CPU s | peak MB |", "|---|---:|---:|---:|---:|---:|"]
    for group in groups:
        for contestant in group.contestants:
            for number, run in contestant.runs.items():
                single.append(f"| {contestant.name} | {group.documents:,} | {number} | {run.wall:.3f} | {run.cpu:.3f}"
                              f" | {run.memory / 1e6:.0f} |")
    return "\n".join([
        f"# {args.name}\n",
        *(f"- {fact}" for fact in facts),
        "\nWall and CPU: median (min–max) of whole processes in alternating rounds. Precision, recall, F1: pairs of the"
        " closure of the clusters against the closure of the exact pairs. Ratios: median (min–max) of the rounds' own"
        " ratios.\n",
        table(groups),
        *(f"\n{c.name} failed on {g.documents:,} documents and was run again: {c.crashes} times."
          for g in groups for c in g.contestants if c.crashes and not c.failure),
        "\n## Every run\n",
        *single,
        "",
    ])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--work", type=Path, default=BENCH / "work", help="folder for venvs, corpora and outputs")
    parser.add_argument("--corpus", type=Path, help="default WORK/corpus.jsonl")
    parser.add_argument("--truth", type=Path, help="default: the corpus with .ws.tsv")
    parser.add_argument("--lookalike", type=Path, default=ROOT / "target" / "release" / "lookalike")
    parser.add_argument("--variant", action="append", default=[], metavar="NAME=ARGUMENTS", help="may be repeated")
    parser.add_argument("--peers", nargs="*", default=DEFAULT_PEERS, metavar="NAME[@DOCUMENTS][xROUNDS]")
    parser.add_argument("--slice", type=int, metavar="N", help="N documents for all without an @")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--timeout", type=float, default=1800, help="seconds for one run")
    parser.add_argument("--name", default="peers")
    parser.add_argument("--results", type=Path, default=BENCH / "results")
    args = parser.parse_args()
    args.corpus = args.corpus or args.work / "corpus.jsonl"
    args.truth = args.truth or args.corpus.with_suffix(".ws.tsv")
    for needed in (args.corpus, args.truth, args.lookalike):
        if not needed.exists():
            sys.exit(f"run.py: {needed} is not there; see bench/README.md")

    started, load_before = datetime.datetime.now(datetime.UTC), os.getloadavg()[0]
    runs = args.work / "runs"
    runs.mkdir(parents=True, exist_ok=True)
    groups = groups_of(args, runs)
    for group in groups:
        run_group(group, args, runs)
    text = report(groups, args, started, load_before)
    args.results.mkdir(parents=True, exist_ok=True)
    path = args.results / f"{started:%Y-%m-%d}-{args.name}.md"
    path.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
