#!/usr/bin/env python3
"""Writes Arrow files and streams of random schemas by pyarrow, keeps all rows by `lookalike dedup`, and compares both as pyarrow sees them: the form,
the schema with its metadata, the compression and all values. Then damages some bytes of each, which must not end the program in another way than by an error.

    python fuzz/arrow PROGRAM [--count 2000] [--seed 0]        # exits with 1 at the first difference, and leaves the files there

It needs pyarrow and duckdb.
"""

import argparse
import importlib.util
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow as pa

# The types are those of fuzz/parquet, and some that Parquet has not.
spec = importlib.util.spec_from_file_location("types", Path(__file__).parents[1] / "parquet" / "__main__.py")
types = importlib.util.module_from_spec(spec)
spec.loader.exec_module(types)

types.PLAIN += [
    (pa.binary_view(), lambda rng: rng.randbytes(rng.randrange(30))),
    (pa.float16(), lambda rng: rng.randint(-100, 100) / 4),
    (pa.month_day_nano_interval(), lambda rng: (rng.randint(-9, 9), rng.randint(-9, 9), rng.randint(-9, 9))),
    (pa.dictionary(pa.int32(), pa.int64()), lambda rng: rng.randrange(5)),
]


def table_of(rng):
    columns = {"text": pa.array(types.texts(rng), rng.choice([pa.string(), pa.large_string(), pa.string_view()]))}
    for index in range(rng.randint(1, 4)):
        try:
            columns[f"c{index}"] = types.column(rng, *types.arrow_type(rng, 2))
        except (pa.ArrowNotImplementedError, pa.ArrowInvalid, pa.ArrowTypeError, OverflowError, ValueError):
            continue
    return pa.table(columns).replace_schema_metadata({"owner": "me"})


def write(rng, table, path):
    """Writes the table. Returns its form and its compression."""
    form, compression = rng.choice(["file", "stream"]), rng.choice([None, "lz4", "zstd"])
    options = pa.ipc.IpcWriteOptions(compression=compression, unify_dictionaries=True)
    new = pa.ipc.new_file if form == "file" else pa.ipc.new_stream
    try:
        with new(path, table.schema, options=options) as writer:
            writer.write_table(table, max_chunksize=rng.choice([7, 20, 100]))
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        return None
    return form, compression


def read(path, form):
    opened = pa.ipc.open_file(path) if form == "file" else pa.ipc.open_stream(path)
    return opened.read_all()


def run(program, source, kept):
    command = [program, "dedup", source, "-o", kept, "-q"]
    return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=60)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="arrow-types-"))
    source, kept, damaged = folder / "in.arrow", folder / "kept.arrow", folder / "damaged.arrow"
    equal, damages = 0, 0
    for case in range(arguments.count):
        rng = random.Random(f"{arguments.seed} {case}")
        table = table_of(rng)
        written = write(rng, table, source)
        if not written:
            continue
        form, compression = written
        kept.unlink(missing_ok=True)
        done = run(arguments.program, source, kept)
        if done.returncode:
            sys.exit(f"case {case}, {source} ({form}, {compression}): exit {done.returncode}: {done.stderr}\n{table.schema}")
        before, after = read(source, form), read(kept, form)
        if not before.schema.equals(after.schema, check_metadata=True):
            sys.exit(f"case {case}, {source} and {kept}: the schema is {before.schema}, and now {after.schema}")
        for name in before.column_names:
            old, new = before[name].combine_chunks(), after[name].combine_chunks()
            # NaN is not equal to itself.
            if not old.equals(new) and old.to_pylist() != new.to_pylist():
                sys.exit(f"case {case}, {source} and {kept}: column {name} differs")
        if form == "file" and (kept.stat().st_size > 4 * source.stat().st_size + 10_000):
            sys.exit(f"case {case}, {source} and {kept}: the output is much longer than the input")
        equal += 1
        for _ in range(3):
            content = bytearray(source.read_bytes())
            for _ in range(rng.randint(1, 8)):
                content[rng.randrange(len(content))] = rng.choice([0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)])
            if rng.random() < 0.2:
                del content[rng.randrange(len(content)) :]
            damaged.write_bytes(content)
            done = run(arguments.program, damaged, kept)
            if done.returncode not in (0, 1, 3) or "panicked" in done.stderr:
                sys.exit(f"case {case}, {damaged}: exit {done.returncode}: {done.stderr}")
            damages += 1
    print(f"all equal: {equal} tables; {damages} damaged files were read or refused")


if __name__ == "__main__":
    main()
