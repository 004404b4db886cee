#!/usr/bin/env python3
"""Writes Parquet files of random schemas by pyarrow and DuckDB, keeps all rows by `lookalike dedup`, and compares both files as pyarrow and DuckDB
see them: the schema, the metadata, the codec of each column, and all values.

    python fuzz/parquet PROGRAM [--count 2000] [--seed 0]      # exits with 1 at the first difference, and leaves the file there

It needs pyarrow and duckdb. A reader that cannot read the input is left out for it.
"""

import argparse
import datetime
import decimal
import random
import string
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

ROWS = 40


def letters(rng, most=12):
    return "".join(rng.choice(string.ascii_letters + "äß語🙂") for _ in range(rng.randrange(most)))


def integers(kind, low, high):
    return kind, lambda rng: rng.choice([low, high, 0, rng.randint(low, high)])


def decimals(precision, scale, kind):
    def value(rng):
        digits = rng.randint(-(10**precision) + 1, 10**precision - 1)
        return decimal.Decimal(digits).scaleb(-scale, decimal.Context(prec=80))

    return kind(precision, scale), value


def instants(unit, zone):
    """Instants as numbers of a unit, as far from now as the unit allows."""
    most = {"s": 10**11, "ms": 10**14, "us": 10**17, "ns": 2**63 - 1}[unit]
    return pa.timestamp(unit, zone), lambda rng: rng.choice([0, -most, most, rng.randint(-most, most)])


# Types of Arrow, and how a value of each is made.
PLAIN = [
    (pa.bool_(), lambda rng: rng.random() < 0.5),
    *[integers(getattr(pa, f"int{n}")(), -(2 ** (n - 1)), 2 ** (n - 1) - 1) for n in (8, 16, 32, 64)],
    *[integers(getattr(pa, f"uint{n}")(), 0, 2**n - 1) for n in (8, 16, 32, 64)],
    (pa.float32(), lambda rng: float(rng.randint(-1000, 1000)) / 4),
    (pa.float64(), lambda rng: rng.choice([0.1, -0.0, 1e300, float("inf"), rng.random()])),
    (pa.string(), letters),
    (pa.large_string(), letters),
    (pa.string_view(), letters),
    (pa.binary(), lambda rng: rng.randbytes(rng.randrange(9))),
    (pa.large_binary(), lambda rng: rng.randbytes(rng.randrange(9))),
    (pa.binary(5), lambda rng: rng.randbytes(5)),
    decimals(9, 2, pa.decimal128),
    decimals(18, 0, pa.decimal128),
    decimals(38, 10, pa.decimal128),
    decimals(70, 30, pa.decimal256),
    (pa.date32(), lambda rng: rng.randint(-700_000, 2_900_000)),
    (pa.date64(), lambda rng: rng.randint(-700_000, 2_900_000) * 86_400_000),
    (pa.time32("ms"), lambda rng: rng.randrange(86_400_000)),
    (pa.time64("us"), lambda rng: rng.randrange(86_400_000_000)),
    (pa.time64("ns"), lambda rng: rng.randrange(86_400_000_000_000)),
    *[instants(unit, zone) for unit in ("s", "ms", "us", "ns") for zone in (None, "UTC", "Europe/Berlin")],
    (pa.duration("us"), lambda rng: rng.randint(-(10**15), 10**15)),
    (pa.dictionary(pa.int8(), pa.string()), lambda rng: rng.choice(["red", "green", "blue"])),
    (pa.uuid(), lambda rng: uuid.UUID(int=rng.getrandbits(128)).bytes),
    (pa.json_(pa.string()), lambda rng: f'{{"a":{rng.randrange(9)}}}'),
    (pa.null(), lambda rng: None),
]


def arrow_type(rng, depth):
    """A type, and how a value of it is made."""
    kind = rng.randrange(10)
    if depth == 0 or kind < 6:
        return rng.choice(PLAIN)
    if kind == 6:
        fields = [(f"f{index}", *arrow_type(rng, depth - 1), rng.random() < 0.7) for index in range(rng.randint(1, 3))]

        def record(rng):
            return {name: None if optional and rng.random() < 0.2 else make(rng) for name, _, make, optional in fields}

        return pa.struct([pa.field(name, kind, optional) for name, kind, _, optional in fields]), record
    inner, make = arrow_type(rng, depth - 1)
    if kind == 7:
        return pa.map_(pa.string(), inner), lambda rng: [(f"k{n}", make(rng)) for n in range(rng.randrange(4))]
    if kind == 8:
        return pa.list_(inner, 2), lambda rng: [make(rng), make(rng)]
    of = rng.choice([pa.list_, pa.large_list])
    return of(inner), lambda rng: [None if rng.random() < 0.2 else make(rng) for _ in range(rng.randrange(5))]


def column(rng, kind, make):
    """Values of a type, some of them null. Types of extensions are made of what they store."""
    values = [None if rng.random() < 0.2 else make(rng) for _ in range(ROWS)]
    if isinstance(kind, pa.BaseExtensionType):
        return pa.ExtensionArray.from_storage(kind, pa.array(values, kind.storage_type))
    return pa.array(values, kind)


def texts(rng):
    """Texts that have no shingle in common."""
    return [" ".join(f"w{row}x{word}n{rng.randrange(10**6)}" for word in range(8)) for row in range(ROWS)]


def by_arrow(rng, path):
    columns = {"text": pa.array(texts(rng))}
    for index in range(rng.randint(1, 4)):
        try:
            kind, make = arrow_type(rng, 2)
            columns[f"c{index}"] = column(rng, kind, make)
        except (pa.ArrowNotImplementedError, pa.ArrowInvalid, pa.ArrowTypeError, OverflowError, ValueError):
            # pyarrow cannot make some nested types, or values of them.
            continue
    try:
        pq.write_table(
            pa.table(columns).replace_schema_metadata({"owner": "me"}),
            path,
            version=rng.choice(["1.0", "2.4", "2.6"]),
            compression=rng.choice(["none", "snappy", "zstd", "gzip", "brotli", "lz4"]),
            use_dictionary=rng.random() < 0.5,
            row_group_size=rng.choice([7, 20, 100]),
            data_page_version=rng.choice(["1.0", "2.0"]),
            data_page_size=rng.choice([64, 1 << 20]),
            store_schema=rng.random() < 0.6,
            use_deprecated_int96_timestamps=rng.random() < 0.3,
            write_page_index=rng.random() < 0.5,
            store_decimal_as_integer=rng.random() < 0.3,
        )
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        return False
    return True


# Types of DuckDB, and an expression over the number of a row `i`.
DUCK = {
    "BOOLEAN": "i % 2 = 0",
    "UTINYINT": "i",
    "HUGEINT": "i::HUGEINT",
    "UBIGINT": "18446744073709551615 - i",
    "DOUBLE": "i / 7",
    "DECIMAL(38,9)": "i / 3",
    "VARCHAR": "'v' || i",
    "BLOB": "encode('b' || i)",
    "UUID": "uuid()",
    "JSON": "json_object('a', i)",
    "DATE": "date '0001-01-01' + i::INTEGER * 90000",
    "TIME": "time '00:00:01' + i * interval 1 second",
    "TIMETZ": "timetz '01:02:03+02'",
    "TIMESTAMP": "timestamp '0100-01-01' + i * interval 200 year",
    "TIMESTAMP_S": "timestamp '2000-01-01' + i * interval 1 second",
    "TIMESTAMP_MS": "timestamp '2000-01-01' + i * interval 1 second",
    "TIMESTAMP_NS": "timestamp '2000-01-01' + i * interval 1 second",
    "TIMESTAMPTZ": "timestamptz '1500-01-01 00:00:00+00' + i * interval 90 year",
    "INTERVAL": "i * interval 1 hour",
    "ENUM('a','b')": "if(i % 2 = 0, 'a', 'b')",
    "VARIANT": "i",
}


def duck_type(rng, depth):
    kind = rng.randrange(10)
    if depth == 0 or kind < 7:
        return rng.choice(list(DUCK.items()))
    inner, value = duck_type(rng, depth - 1)
    if kind == 7:
        return f"{inner}[]", f"if(i % 3 = 0, [], [({value})::{inner}, NULL])"
    if kind == 8:
        return f"STRUCT(x {inner}, y INTEGER)", f"{{'x': ({value})::{inner}, 'y': i}}"
    return f"MAP(VARCHAR, {inner})", f"MAP {{'k': ({value})::{inner}}}"


def by_duckdb(rng, path):
    connection = duckdb.connect()
    picked = [duck_type(rng, 2) for _ in range(rng.randint(1, 4))]
    columns = ", ".join(f"if(i % 5 = 0, NULL, ({value})::{kind}) AS c{index}" for index, (kind, value) in enumerate(picked))
    connection.execute("CREATE TABLE texts (i BIGINT, text VARCHAR)")
    connection.executemany("INSERT INTO texts VALUES (?, ?)", list(enumerate(texts(rng))))
    codec, version = rng.choice(["uncompressed", "snappy", "zstd", "gzip", "brotli"]), rng.choice(["V1", "V2"])
    options = f"FORMAT parquet, COMPRESSION {codec}, PARQUET_VERSION {version}, ROW_GROUP_SIZE 2048"
    try:
        connection.execute(f"COPY (SELECT text, {columns} FROM texts ORDER BY i) TO '{path}' ({options})")
    except duckdb.Error:
        return False
    return True


def seen_by_arrow(path):
    """What pyarrow sees, without what may differ: how rows are grouped, and who wrote the file."""
    file = pq.ParquetFile(path)
    group = file.metadata.row_group(0)
    codecs = [(group.column(index).path_in_schema, group.column(index).compression) for index in range(group.num_columns)]
    seen = {"schema": str(file.schema).split("\n", 1)[1], "metadata": file.metadata.metadata, "codecs": codecs}
    try:
        table = file.read()
        seen["types"] = str(table.schema)
        seen |= {name: column.combine_chunks() for name, column in zip(table.column_names, table.columns)}
    except (pa.ArrowException, OSError):
        pass
    return seen


def seen_by_duckdb(path):
    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'UTC'")
    try:
        types = connection.execute(f"DESCRIBE SELECT * FROM '{path}'").fetchall()
        names = ", ".join(f'"{row[0]}"::VARCHAR' for row in types)
        return types, connection.execute(f"SELECT {names} FROM '{path}'").fetchall()
    except duckdb.Error:
        return None


def is_same(before, after):
    if isinstance(before, dict):
        return all(key in after and is_same(value, after[key]) for key, value in before.items())
    return before.equals(after) if isinstance(before, pa.Array) else before == after


def difference(before, after):
    """What differs, in short."""
    if isinstance(before, dict):
        return "\n".join(f"{key}: {difference(value, after.get(key))}" for key, value in before.items() if key not in after or not is_same(value, after[key]))
    if isinstance(before, (list, tuple)) and isinstance(after, (list, tuple)) and len(before) == len(after):
        return next(f"at {place}: {old!r}, and now {new!r}" for place, (old, new) in enumerate(zip(before, after)) if old != new)
    return f"{before!r}, and now {after!r}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="parquet-types-"))
    source, kept = folder / "in.parquet", folder / "kept.parquet"
    done = {"pyarrow": 0, "DuckDB": 0}
    for case in range(arguments.count):
        rng = random.Random(f"{arguments.seed} {case}")
        name, write = (("pyarrow", by_arrow), ("DuckDB", by_duckdb))[case % 2]
        if not write(rng, source):
            continue
        kept.unlink(missing_ok=True)
        run = subprocess.run([arguments.program, "dedup", source, "-o", kept, "-q"], capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"case {case} by {name}, {source}: exit {run.returncode}: {run.stderr}")
        for reader, look in (("pyarrow", seen_by_arrow), ("DuckDB", seen_by_duckdb)):
            before, after = look(source), look(kept)
            if before is not None and not is_same(before, after):
                sys.exit(f"case {case} by {name}, {source} and {kept}: {reader} sees\n{difference(before, after)}")
        done[name] += 1
    print(f"all equal: {done['pyarrow']} files by pyarrow, {done['DuckDB']} by DuckDB")


if __name__ == "__main__":
    main()
