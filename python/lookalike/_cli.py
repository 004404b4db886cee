"""The program `lookalike`, as a command of the package."""

import signal
import sys

from lookalike import _lookalike


def main() -> None:
    """Runs the command line of this process, and ends the process with its exit code."""
    # The program has its own handler for Ctrl-C; Python's would wait until the program returns.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_lookalike.run_command(["lookalike", *sys.argv[1:]]))
