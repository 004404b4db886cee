#!/usr/bin/env python3
"""Estimated, audited and true recall, side by side.

    recall.py --program target/release/lookalike CORPUS... [--audit 300] [--seeds 3]

Each corpus is searched with bands that find nearly all, many and half of the pairs. The true recall is the share of the pairs of
`--method exact` that `--method minhash` lists. It stands beside the run's own estimate and audit. Prints a Markdown table. Its last two
columns say whether the intervals contain the truth.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

SETTINGS = ["--recall 0.995", "--bands 9 --rows 13", "--bands 16 --rows 8", "--bands 8 --rows 16"]


def run(program, corpus, folder, options):
    out, summary = folder / "pairs.tsv", folder / "summary.json"
    command = [program, "pairs", corpus, "-o", out, "--summary", summary, "--quiet", *options.split()]
    subprocess.run([str(part) for part in command], check=True)
    lines = out.read_text().splitlines()[1:]
    return {tuple(line.split("\t")[:2]) for line in lines}, json.loads(summary.read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="+", type=pathlib.Path)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--threshold", default="0.8")
    parser.add_argument("--audit", default="300")
    parser.add_argument("--seeds", type=int, default=3)
    arguments = parser.parse_args()
    print("| corpus | pairs | bands | seed | true | estimated | between | audited | between | estimate holds | audit holds |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for corpus in arguments.corpora:
            for seed in range(arguments.seeds):
                common = f"--threshold {arguments.threshold} --seed {seed}"
                truth, _ = run(arguments.program, corpus, folder, f"--method exact {common}")
                for setting in SETTINGS:
                    options = f"--method minhash {common} {setting} --audit {arguments.audit}"
                    found, summary = run(arguments.program, corpus, folder, options)
                    true = len(found & truth) / len(truth)
                    audit = summary["audit"]
                    shown = [corpus.stem, len(truth), f"{summary['plan']['bands']} × {summary['plan']['rows']}", seed, f"{true:.4f}"]
                    holds = []
                    for value, interval in [
                        (summary["recall_estimate"], summary["recall_interval"]),
                        (audit["recall"], audit["recall_interval"]),
                    ]:
                        if value is None:
                            shown += ["–", "–"]
                            holds.append("–")
                            continue
                        shown += [f"{value:.4f}", f"{interval[0]:.4f}–{interval[1]:.4f}"]
                        # Six digits, because an estimate of 1 is a sum of rounded numbers.
                        holds.append("yes" if interval[0] - 1e-6 <= true <= interval[1] + 1e-6 else "no")
                    print("|", " | ".join(map(str, shown + holds)), "|", flush=True)


if __name__ == "__main__":
    main()
