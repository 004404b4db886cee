"""Runs whole commands on hostile inputs, each in several ways that must agree.

    python3 fuzz/commands --seed 1 --seconds 3600
    python3 fuzz/commands --seed 1 --case 17 --keep        # one case again

A case depends only on the seed and its number. The folder of a case that fails is kept, with its inputs and outputs.
"""

import argparse
import collections
import os
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

from case import Case
from running import Failure


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser = argparse.ArgumentParser(prog="python3 fuzz/commands", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, help="stop after this time")
    parser.add_argument("--cases", type=int, help="stop after this number of cases")
    parser.add_argument("--case", type=int, help="run only this case")
    parser.add_argument("--keep", action="store_true", help="keep the folders of all cases")
    parser.add_argument("--program", default=os.path.join(os.environ.get("CARGO_TARGET_DIR", os.path.join(root, "target")), "debug/lookalike"))
    parser.add_argument("--work", default=os.path.join(tempfile.gettempdir(), "lookalike-commands"), help="the folder for the folders of cases")
    options = parser.parse_args()
    started, kinds, codes, failed, number = time.monotonic(), collections.Counter(), collections.Counter(), 0, options.case or 0
    while True:
        case = Case(options.seed, number, os.path.abspath(options.program), os.path.abspath(options.work))
        try:
            kinds[case.run()] += 1
            if not options.keep:
                shutil.rmtree(case.folder)
        except (Failure, subprocess.TimeoutExpired) as failure:
            failed += 1
            print(f"case {number}: {failure}\n  folder: {case.folder}\n  again: python3 fuzz/commands --seed {options.seed} --case {number} --keep", flush=True)
        except Exception:
            failed += 1
            print(f"case {number}: the fuzzer itself failed in {case.folder}:\n{traceback.format_exc()}\n{case.runner.commands[-1:]}", flush=True)
        codes.update(case.runner.codes)
        number += 1
        done = number if options.case is None else options.cases or number
        if options.case is not None or done == options.cases or options.seconds and time.monotonic() - started > options.seconds:
            break
    runs = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    ends = ", ".join(f"{count} with {code}" for code, count in sorted(codes.items()))
    print(f"seed {options.seed}: {sum(kinds.values()) + failed} cases in {time.monotonic() - started:.0f} s, {failed} failed: {runs}; commands ended {ends}")
    return 1 if failed else 0


sys.exit(main())
