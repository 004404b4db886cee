#!/usr/bin/env python3
"""Documents of one template, each with a few words of its own, by `--cluster star` and `--min-containment`, in turns with plain `dedup`.

    stars.py --program target/release/lookalike [--control OTHER] [--documents 2000 4000 8000] [--shape own] [--rounds 3] [--memory 400MiB] [--work bench/work]

    --shape own         200 words of the template and eight of the document: 8 of its 204 shingles are its own, and all are similar
            far         22 words of its own behind the template
            runs        four runs of eight words behind, of 1,000 such runs
            exchanged   one to six words of the template are exchanged, by words of 500
            mixed       two or 30 words of its own behind
            two         one of two templates that share half, and two or ten words of its own
            cut         the first 60 to 199 words only, and up to five of its own

Shapes other than `own` are run with more options, all by `--method minhash`. Prints a Markdown table: medians of processor seconds (user and system), the range, and the peak memory in the
summary. A control is another build, which runs beside the program.
"""
import argparse
import json
import pathlib
import random
import statistics

from families import measured

OPTIONS = ["", "--cluster star", "--min-containment 0.97", "--cluster star --min-containment 0.97"]
OTHERS = ["--cluster star --min-containment 0.9 --keep longest", "--cluster star --measure cosine", "--cluster star --measure containment -t 0.9"]
TEMPLATE = [f"v{word}" for word in range(200)]


def text(shape, page, rng):
    own = [f"u{page}x{word}" for word in range(30)]
    if shape == "own":
        return TEMPLATE + own[:8]
    if shape == "far":
        return TEMPLATE + own[:22]
    if shape == "runs":
        return TEMPLATE + [f"p{run}a{word}" for run in rng.choices(range(1000), k=4) for word in range(8)]
    if shape == "exchanged":
        words = list(TEMPLATE)
        for place in rng.choices(range(200), k=rng.choice([1, 2, 3, 6])):
            words[place] = f"z{rng.randrange(500)}"
        return words
    if shape == "mixed":
        return TEMPLATE + own[: rng.choice([2, 30])]
    if shape == "two":
        other = TEMPLATE[:100] + [f"w{word}" for word in range(100)]
        return [other, TEMPLATE][page % 2] + own[: rng.choice([2, 10])]
    return TEMPLATE[: rng.randrange(60, 200)] + own[: rng.randrange(6)]


def corpus(path, documents, shape):
    rng = random.Random(1)
    with open(path, "w", encoding="ascii") as out:
        for page in range(documents):
            out.write(f'{{"text":"{" ".join(text(shape, page, rng))}"}}\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--control", type=pathlib.Path)
    parser.add_argument("--documents", type=int, nargs="+", default=[2000, 4000, 8000])
    parser.add_argument("--shape", choices=["own", "far", "runs", "exchanged", "mixed", "two", "cut"], default="own")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path(__file__).parent / "work")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    programs = {"program": arguments.program, **({"control": arguments.control} if arguments.control else {})}
    summary = arguments.work / "stars-summary.json"
    print("| documents | options | build | processor s | wall s | times plain | compared | peak MB |\n|---|---|---|---|---|---|---|---|")
    for documents in arguments.documents:
        texts = arguments.work / f"stars-{arguments.shape}-{documents}.jsonl"
        if not texts.exists():
            corpus(texts, documents, arguments.shape)
        runs, told = {}, {}
        for _ in range(arguments.rounds):
            for options in OPTIONS if arguments.shape == "own" else [f"--method minhash {options}" for options in OPTIONS + OTHERS]:
                for build, program in programs.items():
                    command = [program.resolve(), "dedup", texts, "--dry-run", "--quiet", "--summary", summary, *options.split()]
                    command += ["--memory", arguments.memory] if arguments.memory else []
                    runs.setdefault((options, build), []).append(measured(command))
                    told[options, build] = json.loads(summary.read_text())
        for (options, build), seconds in runs.items():
            wall, spent = zip(*seconds)
            plain = [run[1] for run in next(runs[first, other] for first, other in runs if other == build)]
            ratio = statistics.median(mine / base for mine, base in zip(spent, plain))
            cells = [documents, options or "none", build, f"{statistics.median(spent):.2f} ({min(spent):.2f}–{max(spent):.2f})"]
            cells += [f"{statistics.median(wall):.2f}", f"{ratio:.1f}", f"{told[options, build]['monitoring']['compared']:,}"]
            cells.append(round(told[options, build]["peak_memory_bytes"] / 1e6))
            print("|", " | ".join(map(str, cells)), "|", flush=True)


if __name__ == "__main__":
    main()
