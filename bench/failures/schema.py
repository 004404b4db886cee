#!/usr/bin/env python3
"""Sends random requests to a service, by its own OpenAPI description, and compares its answers with it.

    schema.py --program target/debug/lookalike [--cases 20000] [--seed 1]

Needs schemathesis (PyPI). No answer may have a status of 500 or more, a status, a media type or a body that the description does not have,
or accept what the description does not allow. The seed is fixed, so the same requests are sent each time.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from service import Service, text_of

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,response_headers_conformance"


def run(service, arguments, examples, folder):
    """Runs schemathesis. Returns its exit code, and the number of cases."""
    host, port = service.address
    url = f"http://{host}:{port}"
    command = [
        sys.executable, "-m", "schemathesis.cli", "run", f"{url}/openapi.json", "--url", url, "--seed", str(arguments.seed),
        "--phases", "examples,coverage,fuzzing", "--max-examples", str(examples), "--checks", CHECKS, "--exclude-path", "/v1/events", "--exclude-path", "/v1/log",
        "--generation-database", "none", "--request-timeout", "20", "--continue-on-failure", "--no-color",
    ]
    hooks = {"SCHEMATHESIS_HOOKS": "ndjson", "PYTHONPATH": str(pathlib.Path(__file__).resolve().parent)}
    ran = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **hooks}, cwd=folder)
    # What comes before are bars.
    told = re.search(r"^=+ (ERRORS|FAILURES|WARNINGS|SUMMARY) =+$.*", ran.stdout, re.MULTILINE | re.DOTALL)
    print(told[0] if told else ran.stdout, ran.stderr, flush=True)
    return ran.returncode, sum(int(number) for number in re.findall(r"(\d+) generated", ran.stdout))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--cases", type=int, default=20_000, help="requests by and large: each operation gets its share")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        service = Service(arguments.program, pathlib.Path(temporary) / "seen.index")
        try:
            client = service.client()
            for number in range(20):
                client.add(f"d{number}", text_of(number))
            operations = sum(len(path) for path in client.ask("GET", "/openapi.json")[1]["paths"].values())
            code, cases = run(service, arguments, max(1, arguments.cases // operations), temporary)
            # The first connection was idle for too long.
            is_there = service.client().ask("GET", "/health")[0] == 200 and "panicked" not in service.printed()
            ended = service.stop()
        finally:
            service.kill()
    print(f"{cases} cases, {operations} operations; afterwards {'it answers' if is_there else service.printed()}, and ends with {ended}")
    return code or not is_there or ended


if __name__ == "__main__":
    sys.exit(main())
