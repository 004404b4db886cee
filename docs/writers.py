#!/usr/bin/env python3
"""The tables of files-of-other-programs.md: files as other programs write them, and what `lookalike dedup` makes of them.

    writers.py --program PATH/lookalike --check docs/files-of-other-programs.md   # writes each file by its program, reads it, and compares the page
    writers.py --program PATH/lookalike --write docs/files-of-other-programs.md   # the same, and writes the table
    writers.py --program PATH/lookalike NAME…                                     # only these rows

A row is a function below: its name, its texts and its check are the row. Its program is a package of Python, or a command. A row whose program is
not installed fails, so that none is left out without a word. The versions are those on which a row was written.
"""

import argparse
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile

MARKS = "<!-- table: writers -->\n", "<!-- end -->"
A = "The city council voted on Tuesday to close the old harbour bridge for repairs until spring"
B = "Rain is expected over the northern hills tonight and it will clear up before Saturday morning"
TEXTS = [A, A, B]
ROWS = []


def row(writer, version, writes, does, test=None):
    """Adds a row. The function writes a file with the texts A, A and B, in a new folder, and checks what is kept of it; `test` names another script
    that does."""

    def add(check):
        shown = f"[`{test.rsplit('/', 1)[1]}`](../{test})" if test else f"`{check.__name__}`"
        ROWS.append((check.__name__, writer, version, writes, does, shown, check))
        return check

    return add


class Run:
    """A folder, and the program."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def dedup(self, *arguments, code=0):
        command = [self.program, "dedup", *arguments, "-q"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == code, f"{command}: exit {done.returncode}: {done.stderr}"
        return done.stderr


def shell(command):
    subprocess.run(["bash", "-ceu", command], check=True, capture_output=True)


# --- Tables


@row("pyarrow", "26.0.1", "Feather 2 in LZ4, with categories", "reads it, and writes the same schema and compression")
def pyarrow_feather(run):
    import pyarrow as pa
    from pyarrow import feather

    table = pa.table({"text": TEXTS, "kind": pa.array(["x", "y", "x"]).dictionary_encode()})
    feather.write_feather(table, "in.feather")
    run.dedup("in.feather", "-o", "out.feather")
    assert feather.read_table("out.feather").equals(table.take([0, 2]))


@row("pandas", "3.1.1", "the index of a frame as a column of Parquet, and notes on it", "keeps both, so that the index is back")
def pandas_index(run):
    import pandas

    frame = pandas.DataFrame({"text": TEXTS}, index=pandas.Index([7, 8, 9], name="key"))
    frame.to_parquet("in.parquet")
    run.dedup("in.parquet", "-o", "out.parquet")
    assert pandas.read_parquet("out.parquet").equals(frame.iloc[[0, 2]])


@row("polars", "2.1.0", "texts of Arrow as views", "reads them, and writes views")
def polars_ipc(run):
    import polars

    frame = polars.DataFrame({"id": [1, 2, 3], "text": TEXTS})
    frame.write_ipc("in.arrow", compression="zstd")
    run.dedup("in.arrow", "-o", "out.arrow")
    assert polars.read_ipc("out.arrow").equals(frame[[0, 2]])


@row("DuckDB", "2.0.1", "UUID, JSON and VARIANT in Parquet", "copies the columns as they are")
def duckdb_types(run):
    import duckdb

    texts = ", ".join(f"({number}, '{text}')" for number, text in enumerate(TEXTS))
    select = f"SELECT text, uuid() AS u, json_object('n', i) AS j, i::VARIANT AS v FROM (VALUES {texts}) t(i, text)"
    duckdb.sql(f"COPY ({select}) TO 'in.parquet'")
    run.dedup("in.parquet", "-o", "out.parquet")
    types = "SELECT DISTINCT typeof(u), typeof(j), typeof(v) FROM 'out.parquet'"
    assert duckdb.sql(types).fetchall() == [("UUID", "JSON", "VARIANT")], duckdb.sql(types)


@row("fastparquet", "2026.9.0", "texts as bytes, with `object_encoding='bytes'`", "reads bytes that are UTF-8, and names other rows")
def fastparquet_bytes(run):
    import fastparquet
    import pandas

    frame = pandas.DataFrame({"text": pandas.Series([text.encode() for text in TEXTS] + [b"\xff\xfe"], dtype=object)})
    fastparquet.write("in.parquet", frame, object_encoding="bytes")
    said = run.dedup("in.parquet", "-o", "out.parquet", code=3)
    assert "in.parquet:4: invalid UTF-8" in said, said
    assert [bytes(text).decode() for text in fastparquet.ParquetFile("out.parquet").to_pandas()["text"]] == [A, B]


@row("ClickHouse (chdb)", "4.4.0", "texts as bytes in Parquet, with `output_format_parquet_string_as_string=0`", "reads them")
def clickhouse_bytes(run):
    import chdb
    import pyarrow.parquet

    values = ", ".join(f"('{text}')" for text in TEXTS)
    setting = "output_format_parquet_string_as_string=0"
    chdb.query(f"SELECT * FROM values('text String', {values}) INTO OUTFILE 'in.parquet' FORMAT Parquet SETTINGS {setting}")
    assert str(pyarrow.parquet.read_schema("in.parquet").field("text").type) == "binary"
    run.dedup("in.parquet", "-o", "out.parquet")
    assert pyarrow.parquet.read_table("out.parquet")["text"].to_pylist() == [A.encode(), B.encode()]


@row("ClickHouse (chdb)", "4.4.0", "TSV with backslashes before tabs and line ends, and no quotes", "reads it with `--quote none --escape '\\'`")
def clickhouse_tsv(run):
    import chdb

    values = ", ".join(f"('{text}\\n\"more')" for text in TEXTS)
    chdb.query(f"SELECT * FROM values('text String', {values}) INTO OUTFILE 'in.tsv' FORMAT TSVWithNames")
    run.dedup("in.tsv", "-o", "out.tsv", "--quote", "none", "--escape", "\\")
    assert pathlib.Path("out.tsv").read_text() == f'text\n{A}\\n"more\n{B}\\n"more\n'


@row("Miller", "6.6.0", "TSV with backslashes before tabs and line ends, and no quotes", "reads it with `--quote none --escape '\\'`")
def miller_tsv(run):
    pathlib.Path("lines.jsonl").write_text("".join(json.dumps({"text": f'{text}\t"more'}) + "\n" for text in TEXTS))
    shell("mlr --ijsonl --otsv cat lines.jsonl > in.tsv")
    assert f'{A}\\t"more' in pathlib.Path("in.tsv").read_text()
    run.dedup("in.tsv", "-o", "out.tsv", "--quote", "none", "--escape", "\\")
    assert pathlib.Path("out.tsv").read_text() == f'text\n{A}\\t"more\n{B}\\t"more\n'


@row("Spark", "4.3.0", "folders of CSV with backslashes before quotes, with marks and checksums beside the parts", "reads the parts with `--escape '\\'`, and not the rest")
def spark_csv(run):
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    rows = [(number, f'{text} "more", \\') for number, text in enumerate(TEXTS)]
    session.createDataFrame(rows, "id int, text string").coalesce(1).write.csv("in", header=True)
    session.stop()
    assert '\\"more\\"' in next(pathlib.Path("in").glob("part-*.csv")).read_text() and os.path.exists("in/_SUCCESS")
    run.dedup("in", "-o", "out.csv", "--escape", "\\", "--removed", "removed.csv")
    assert pathlib.Path("removed.csv").read_text().splitlines()[1].startswith("1,0,")
    assert len(pathlib.Path("out.csv").read_text().splitlines()) == 3


@row("Hive (by Spark)", "4.3.0", "files without an extension: Parquet, and text with `^A` between fields, `\\N` for null and no header", "reads files that are named, as in `'warehouse/news/*'`, and text below a header, with `--delimiter $'\\001' --quote none --escape '\\'`")
def hive_tables(run):
    import pyarrow.parquet

    write_hive_tables()
    [rows], [lines] = (list(pathlib.Path("warehouse", name).glob("part-*")) for name in ("rows", "lines"))
    assert not rows.suffix and "name the files themselves" in run.dedup("warehouse/rows", "-o", "none", code=1)
    run.dedup("warehouse/rows/*", "-o", "out/")
    assert pyarrow.parquet.read_table(f"out/{rows.name}")["id"].to_pylist() == [0, 2]
    written = lines.read_bytes().splitlines()
    assert written[1] == f'1\x01{A} "more" \\\x01\x01\\N'.encode(), written
    pathlib.Path("in.csv").write_bytes(b"id\x01text\x01note\n" + lines.read_bytes())
    run.dedup("in.csv", "-o", "out.csv", "--delimiter", "\x01", "--quote", "none", "--escape", "\\", "--removed", "removed.csv")
    assert pathlib.Path("out.csv").read_bytes().splitlines()[1:] == [written[0], written[2]]
    assert pathlib.Path("removed.csv").read_text().splitlines()[1].startswith("1,0,")


def write_hive_tables():
    """Tables in a new folder `warehouse`, by Hive's own writers."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").enableHiveSupport()
    builder = builder.config("spark.sql.warehouse.dir", os.path.abspath("warehouse")).config("spark.sql.hive.convertMetastoreParquet", "false")
    session = builder.config("spark.hadoop.javax.jdo.option.ConnectionURL", "jdbc:derby:memory:news;create=true").getOrCreate()
    rows = [(number, f'{text} "more" \x01', None) for number, text in enumerate(TEXTS)]
    session.createDataFrame(rows, "id int, text string, note string").coalesce(1).createOrReplaceTempView("news")
    text = "ROW FORMAT DELIMITED FIELDS TERMINATED BY '\\001' ESCAPED BY '\\\\' STORED AS TEXTFILE"
    for name, storage in (("rows", "STORED AS PARQUET"), ("lines", text)):
        session.sql(f"CREATE TABLE {name} (id INT, text STRING, note STRING) {storage}")
        session.sql(f"INSERT INTO {name} SELECT * FROM news")
    session.stop()


@row("R", "4.2.2", "`write.csv`: row names in a column without a name, and `NA` for a missing text", "reads and keeps both; `NA` is a text, and `na=\"\"` writes an empty one")
def r_csv(run):
    r("write.csv(frame, 'in.csv')")
    assert pathlib.Path("in.csv").read_text().splitlines()[0] == '"","text","n"'
    run.dedup("in.csv", "-o", "out.csv", "--removed", "removed.csv")
    assert [line[:3] for line in pathlib.Path("removed.csv").read_text().splitlines()[1:]] == ["in.", "in."]
    assert pathlib.Path("out.csv").read_text().splitlines()[1:] == [f'"1","{A} ""more""",1', f'"3","{B} ""more""",3', '"4",NA,4']
    r("write.csv(frame, 'in.csv', row.names=FALSE, na='')")
    run.dedup("in.csv", "-o", "out.csv")
    assert len(pathlib.Path("out.csv").read_text().splitlines()) == 5


@row("R", "4.2.2", "`write.table`: a header without a name for the row names, and backslashes before quotes", "names the rows; `write.csv` writes a table that is read")
def r_table(run):
    r("write.table(frame, 'in.tsv', sep='\\t')")
    assert "the row has 3 fields, and the header has 2" in run.dedup("in.tsv", "-o", "out.tsv", code=1)


@row("data.table of R", "1.14.8", "`fwrite`: CSV with quotes only where they are needed, and nothing for a missing text", "reads it, and copies the records")
def r_fwrite(run):
    r("data.table::fwrite(frame, 'in.csv')")
    run.dedup("in.csv", "-o", "out.csv")
    assert pathlib.Path("out.csv").read_text().splitlines()[1:] == [f'"{A} ""more""",1', f'"{B} ""more""",3', ",4", ",5"]


@row("jsonlite of R", "1.8.4", "`stream_out`: JSONL without the fields that are missing", "names records without a text; `na='null'` writes null, and they are kept")
def r_jsonl(run):
    r("jsonlite::stream_out(frame, file('in.jsonl'), verbose=FALSE)")
    assert 'in.jsonl:4: no field "text"' in run.dedup("in.jsonl", "-o", "out.jsonl", code=3)
    r("jsonlite::stream_out(frame, file('in.jsonl'), verbose=FALSE, na='null')")
    run.dedup("in.jsonl", "-o", "out.jsonl")
    assert [json.loads(line)["n"] for line in pathlib.Path("out.jsonl").read_text().splitlines()] == [1, 3, 4, 5]


def r(writes):
    """Writes a frame with the texts and two missing ones by R."""
    texts = ", ".join(f"'{text} \"more\"'" for text in TEXTS)
    subprocess.run(["Rscript", "-e", f"frame <- data.frame(text = c({texts}, NA, NA), n = c(1:5)); {writes}"], check=True, capture_output=True)


# --- JSON


@row("pandas", "3.1.1", "one JSON array, with slashes and letters escaped", "reads the escapes, and copies the elements")
def pandas_json(run):
    import pandas

    pandas.DataFrame({"text": [text + " é/" for text in TEXTS]}).to_json("in.json", orient="records")
    run.dedup("in.json", "-o", "out.json")
    kept = pathlib.Path("out.json").read_text()
    assert [entry["text"] for entry in json.loads(kept)] == [A + " é/", B + " é/"] and "\\u00e9\\/" in kept


@row("jq", "1.6", "objects on several lines, without `-c`", "names the lines, and `jq -c .` makes JSONL")
def jq_pretty(run):
    pathlib.Path("lines.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in TEXTS))
    shell("jq . lines.jsonl > pretty.jsonl; jq -c . pretty.jsonl > in.jsonl")
    assert "pretty.jsonl:1: broken JSON" in run.dedup("pretty.jsonl", "-o", "none.jsonl", code=1)
    run.dedup("in.jsonl", "-o", "out.jsonl")
    assert [json.loads(line)["text"] for line in pathlib.Path("out.jsonl").read_text().splitlines()] == [A, B]


# --- Data sets and samples


@row("Hugging Face datasets", "5.2.0", "`save_to_disk`: streams of Arrow, a state with a fingerprint, and caches beside them", "reads the files of the state, and writes a folder for `load_from_disk`")
def datasets_folder(run):
    import datasets

    datasets.disable_progress_bars()
    whole = datasets.Dataset.from_dict({"text": TEXTS, "kind": [0, 1, 1]})
    whole = whole.cast_column("kind", datasets.ClassLabel(names=["x", "y"]))
    datasets.DatasetDict({"train": whole, "test": whole.select([2])}).save_to_disk("in")
    # A transform of a data set on disk leaves a cache in its folder.
    datasets.load_from_disk("in/train").map(lambda entry: {"text": entry["text"] + " changed"})
    run.dedup("in", "-o", "out")
    kept = datasets.load_from_disk("out")
    assert kept["test"]["text"][:] + kept["train"]["text"][:] == [B, A], kept
    assert kept["train"].features == whole.features
    assert kept["train"]._fingerprint != whole._fingerprint


@row("WebDataset", "1.0.2", "a tar whose members of one name are a sample", "keeps and removes samples with all their members")
def webdataset_samples(run):
    import webdataset

    with webdataset.TarWriter("in.tar") as tar:
        for number, text in enumerate(TEXTS):
            tar.write({"__key__": f"{number:04}", "txt": text, "json": {"n": number}, "jpg": b"\xff\xd8"})
    run.dedup("in.tar", "-o", "out.tar")
    kept = [(sample["__key__"], sample["txt"].decode()) for sample in webdataset.WebDataset("out.tar", shardshuffle=False)]
    assert kept == [("0000", A), ("0002", B)], kept


# --- Archives


def pages(names=("a", "b", "c")):
    return [(f"http://example.org/{name}", f"<html><body><p>{text}</p></body></html>") for name, text in zip(names, TEXTS)]


def warc(path, dictionary=None):
    from io import BytesIO

    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    with open(path, "wb") as file:
        writer = WARCWriter(file, gzip=path.endswith(".gz"))
        for url, page in pages():
            headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
            record = writer.create_warc_record(url, "response", payload=BytesIO(page.encode()), http_headers=headers)
            writer.write_record(record)


def urls(path):
    from warcio.archiveiterator import ArchiveIterator

    with open(path, "rb") as file:
        return [record.rec_headers.get_header("WARC-Target-URI") or record.rec_headers.get_header("uri") for record in ArchiveIterator(file)]


@row("warcio", "1.8.1", "each record in a member of gzip", "writes a member for each record, which indexes need")
def warcio_members(run):
    warc("in.warc.gz")
    run.dedup("in.warc.gz", "-o", "out.warc.gz")
    assert urls("out.warc.gz") == ["http://example.org/a", "http://example.org/c"]
    subprocess.run([sys.executable, "-m", "warcio.cli", "check", "out.warc.gz"], check=True, capture_output=True)


@row("Wget", "1.21.3", "records about the crawl under `metadata://gnu.org/` in WARC", "keeps them, and compares the pages alone")
def wget_warc(run):
    import functools
    import http.server
    import threading

    for url, page in pages():
        pathlib.Path(url.rsplit("/", 1)[1] + ".html").write_text(page)
    quiet = type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(quiet, directory=os.getcwd()))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    at = f"http://127.0.0.1:{server.server_port}/"
    shell(f"wget -q --no-proxy --warc-file=in -O wget.out {at}a.html {at}b.html {at}c.html")
    server.shutdown()
    run.dedup("in.warc.gz", "-o", "out.warc.gz", "--removed", "removed.csv")
    assert pathlib.Path("removed.csv").read_text().splitlines()[1].startswith(f"{at}b.html,{at}a.html,")
    about = [url for url in urls("out.warc.gz") if url and url.startswith("metadata://gnu.org/")]
    assert about and sum(url == f"{at}c.html" for url in urls("out.warc.gz") if url)


@row("Zeno, Wget-AT (by zstd 1.5.4)", "IIPC warc-zstd 1.0", "a dictionary in the first, skippable frame of `.warc.zst`", "reads it, and writes records with the same dictionary")
def warc_dictionary(run):
    here = pathlib.Path(__file__).resolve().parents[1]
    stored = (here / "crates/corpus/tests/it/files/dictionary.warc.zst").read_bytes()
    pathlib.Path("in.warc.zst").write_bytes(stored)
    run.dedup("in.warc.zst", "-o", "out.warc.zst", "--threshold", "1")
    length = 8 + int.from_bytes(stored[4:8], "little")
    kept = pathlib.Path("out.warc.zst").read_bytes()
    assert kept[:length] == stored[:length]
    pathlib.Path("dictionary").write_bytes(kept[8:length])
    pathlib.Path("records").write_bytes(kept[length:])
    shell("zstd -q -d -D dictionary < records > out.warc")
    assert len(urls("out.warc")) == 6


@row("Heritrix 1, Internet Archive", "ARC 1.0", "ARC: a line as the head of each record", "reads it, and writes ARC")
def arc(run):
    about = "1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n\n"
    records = [("filedesc://in.arc", "text/plain", about)]
    for url, page in pages():
        records.append((url, "text/html", f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{page}"))
    with gzip.open("in.arc.gz", "wb") as file:
        for url, kind, block in records:
            file.write(f"{url} 1.2.3.4 20260102030405 {kind} {len(block)}\n{block}\n".encode())
    run.dedup("in.arc.gz", "-o", "out.arc.gz")
    assert urls("out.arc.gz")[1:] == ["http://example.org/a", "http://example.org/c"]


@row("Browsertrix, ArchiveWeb.page", "WACZ 1.1.1", "WACZ: a zip file of archives, with an index and a list of pages", "reads the archives, and writes them as `.warc.gz`")
def wacz(run):
    import zipfile

    warc("data.warc.gz")
    with zipfile.ZipFile("in.wacz", "w") as file:
        file.write("data.warc.gz", "archive/data.warc.gz")
        file.writestr("pages/pages.jsonl", '{"format": "json-pages-1.0", "id": "pages"}\n')
        file.writestr("datapackage.json", "{}")
    done = subprocess.run([run.program, "dedup", "in.wacz", "-o", "out"], capture_output=True, text=True, check=True)
    assert "note: in.wacz: kept records are written as WARC" in done.stderr, done.stderr
    assert os.listdir("out") == ["in.warc.gz"] and len(urls("out/in.warc.gz")) == 2


@row("Browsertrix (warcio.js)", "2.4.11", "a page as a response, and its text and its list of resources under `urn:text:` and `urn:pageinfo:`", "compares the responses, and keeps the other records")
def browsertrix_warc(run):
    # The calls of Browsertrix, in its order.
    script = """
        const { WARCRecord, WARCSerializer } = require("warcio");
        (async () => {
          const add = async (type, url, kind, content) => {
            const http = type === "response" ? { httpHeaders: { "Content-Type": kind } } : { warcHeaders: { "Content-Type": kind } };
            const about = { url, type, date: "2026-01-02T03:04:05Z", warcVersion: "WARC/1.1", ...http };
            const record = await WARCRecord.create(about, (async function* () { yield new TextEncoder().encode(content); })());
            process.stdout.write(await WARCSerializer.serialize(record, { gzip: true }));
          };
          for (const [url, page, text] of JSON.parse(process.argv[1])) {
            await add("response", url, "text/html", page);
            await add("resource", `urn:text:${url}`, "text/plain", text);
            await add("resource", `urn:pageinfo:${url}`, "application/json", "{}");
          }
        })();
    """
    entries = json.dumps([[url, page, text] for (url, page), text in zip(pages(), TEXTS)])
    with open("in.warc.gz", "wb") as file:
        subprocess.run(["node", "-e", script, entries], check=True, stdout=file)
    run.dedup("in.warc.gz", "-o", "out.warc.gz")
    at = "http://example.org/"
    kept = [url for name in "abc" for url in (f"{at}{name}", f"urn:text:{at}{name}", f"urn:pageinfo:{at}{name}") if url != f"{at}b"]
    assert urls("out.warc.gz") == kept


@row("Heritrix 3", "3.4.0, as its `WARCWriter` has written it once", "what the name servers said under `dns:`, and for each page a request and a record about the visit", "compares the responses over http, and keeps the other records")
def heritrix_warc(run):
    stored = pathlib.Path(__file__).resolve().parents[1] / "crates/corpus/tests/it/files/heritrix.warc.gz"
    pathlib.Path("in.warc.gz").write_bytes(stored.read_bytes())
    before = urls("in.warc.gz")
    assert before[1] == "dns:example.org" and before.count("http://example.org/b") == 3
    run.dedup("in.warc.gz", "-o", "out.warc.gz", "--removed", "removed.csv")
    before.remove("http://example.org/b")
    assert sorted(map(str, urls("out.warc.gz"))) == sorted(map(str, before))
    assert pathlib.Path("removed.csv").read_text().splitlines()[1].startswith("http://example.org/b,http://example.org/a,")


@row("Common Crawl", "WET and WAT of 2026, by their form", "texts as conversions in `.warc.wet.gz`, and metadata of pages in `.warc.wat.gz`", "compares conversions; no record of WAT is a document, and all are kept")
def common_crawl(run):
    def write(path, kind, content_type, bodies):
        number = 0
        with open(path, "wb") as file:
            for url, body in [(None, "Software-Info: ia-web-commons\r\n"), *bodies]:
                number += 1
                about = [f"WARC-Target-URI: {url}", "WARC-Identified-Content-Language: eng"] if url else [f"WARC-Filename: {path}"]
                head = ["WARC/1.0", f"WARC-Type: {kind if url else 'warcinfo'}", *about, "WARC-Date: 2026-01-02T03:04:05Z"]
                head += [f"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>", f"Content-Type: {content_type if url else 'application/warc-fields'}"]
                file.write(gzip.compress("\r\n".join([*head, f"Content-Length: {len(body)}", "", body, "", ""]).encode()))

    write("in.warc.wet.gz", "conversion", "text/plain", [(url, f"{text}\n") for (url, _), text in zip(pages(), TEXTS)])
    run.dedup("in.warc.wet.gz", "-o", "out.warc.wet.gz")
    assert urls("out.warc.wet.gz")[1:] == ["http://example.org/a", "http://example.org/c"]
    write("in.warc.wat.gz", "metadata", "application/json", [(url, '{"Envelope": {}}') for url, _ in pages()])
    run.dedup("in.warc.wat.gz", "-o", "out.warc.gz")
    assert urls("out.warc.gz") == urls("in.warc.wat.gz")


# --- Compression


@row("zstd", "1.5.4", "windows of up to 2 GiB, by `--long=31`, as in the dumps of Reddit", "reads them if `--memory` has room for the window, and says how much it needs otherwise")
def zstd_long(run):
    pathlib.Path("lines.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in TEXTS))
    # The length of a stream is not known, so its frame has the whole window.
    shell("cat lines.jsonl | zstd -q --long=31 > in.jsonl.zst")
    run.dedup("in.jsonl.zst", "-o", "out.jsonl")
    assert len(pathlib.Path("out.jsonl").read_text().splitlines()) == 2
    said = run.dedup("in.jsonl.zst", "-o", "none.jsonl", "--memory", "500MiB", code=2)
    assert "was compressed with a long window" in said and "--memory" in said, said


@row("tapes, `dd conv=sync`", "gzip 1.12", "zeros behind gzip", "takes them for padding, as gzip does")
def padded_gzip(run):
    lines = "".join(json.dumps({"text": text}) + "\n" for text in TEXTS)
    pathlib.Path("in.jsonl.gz").write_bytes(gzip.compress(lines.encode()) + bytes(10_000))
    run.dedup("in.jsonl.gz", "-o", "out.jsonl")
    assert len(pathlib.Path("out.jsonl").read_text().splitlines()) == 2


@row("lz4", "1.9.4", "frames, and the old form by `-l`", "reads both, and writes frames")
def lz4(run):
    pathlib.Path("lines.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in TEXTS))
    shell("lz4 -q lines.jsonl in.jsonl.lz4; lz4 -q -l lines.jsonl old.jsonl.lz4")
    for name in ("in", "old"):
        run.dedup(f"{name}.jsonl.lz4", "-o", "out.jsonl.lz4")
        shell("lz4 -q -f -d out.jsonl.lz4 out.jsonl")
        assert len(pathlib.Path("out.jsonl").read_text().splitlines()) == 2


# --- Topics


@row("Producers of Kafka (kcat)", "1.7.1", "batches of messages in gzip, snappy, lz4 and zstd, and transactions, whose marks take places in a topic", "`lookalike stream` reads all messages, and passes over the marks", test="bench/failures/stream_codecs.py")
def kafka_topics(run):
    # It needs a broker, and runs in the stage `streams`.
    assert (pathlib.Path(__file__).resolve().parents[1] / "bench/failures/stream_codecs.py").exists()


# --- Not read


@row("fastavro", "1.13.1", "Avro", "refuses it by name; `fastavro FILE > FILE.jsonl` makes JSONL")
def avro(run):
    import fastavro

    schema = {"type": "record", "name": "r", "fields": [{"name": "text", "type": "string"}]}
    with open("in.avro", "wb") as file:
        fastavro.writer(file, schema, [{"text": text} for text in TEXTS])
    assert "this is an Avro file, which is not read" in run.dedup("in.avro", "-o", "out", code=1)
    with open("in.jsonl", "wb") as file:
        subprocess.run([sys.executable, "-m", "fastavro", "in.avro"], check=True, stdout=file)
    run.dedup("in.jsonl", "-o", "out.jsonl")
    assert len(pathlib.Path("out.jsonl").read_text().splitlines()) == 2


@row("pyarrow", "26.0.1", "ORC", "refuses it by name; pass the table in Python")
def orc(run):
    import pyarrow as pa
    from pyarrow import orc as writer

    writer.write_table(pa.table({"text": TEXTS}), "in.orc")
    assert "this is an ORC file, which is not read" in run.dedup("in.orc", "-o", "out", code=1)
    assert writer.read_table("in.orc")["text"].to_pylist() == TEXTS


@row("fpdf2", "2.8.9", "PDF", "refuses it by name; `pdftotext FILE` (poppler 22.12) writes its text")
def pdf(run):
    import fpdf

    document = fpdf.FPDF()
    document.add_page()
    document.set_font("Helvetica")
    document.multi_cell(0, 10, A)
    document.output("in.pdf")
    assert "this is a PDF document, which is not read" in run.dedup("in.pdf", "-o", "out", code=1)
    shell("pdftotext in.pdf")
    assert " ".join(pathlib.Path("in.txt").read_text().split()) == A


@row("pandoc", "3.9", "DOCX, ODT, EPUB and RTF", "refuses them by name; `pandoc -t plain FILE -o FILE.txt` writes the text")
def pandoc_documents(run):
    import pypandoc

    pandoc = pypandoc.get_pandoc_path()
    for kind, name in (("docx", "DOCX"), ("odt", "ODT"), ("epub", "EPUB"), ("rtf", "RTF")):
        pathlib.Path("in.md").write_text(f"{A}\n")
        subprocess.run([pandoc, "-s", "in.md", "--metadata", "title=news", "-o", f"in.{kind}"], check=True)
        said = run.dedup(f"in.{kind}", "-o", "out", code=1)
        assert name in said and "not read" in said, said
        subprocess.run([pandoc, "-t", "plain", f"in.{kind}", "-o", f"in.{kind}.txt"], check=True)
        assert A in " ".join(pathlib.Path(f"in.{kind}.txt").read_text().split()), kind


@row("openpyxl", "3.1.5", "XLSX", "refuses it by name; `in2csv FILE > FILE.csv` (csvkit 2.2) makes CSV")
def workbook(run):
    import openpyxl

    book = openpyxl.Workbook()
    for line in [["id", "text"], *([number, text] for number, text in enumerate(TEXTS))]:
        book.active.append(line)
    book.save("in.xlsx")
    assert "not read" in run.dedup("in.xlsx", "-o", "out", code=1)
    with open("in.csv", "wb") as file:
        subprocess.run([os.path.join(os.path.dirname(sys.executable), "in2csv"), "in.xlsx"], check=True, stdout=file)
    run.dedup("in.csv", "-o", "out.csv")
    assert len(pathlib.Path("out.csv").read_text().splitlines()) == 3


@row("mailbox of Python", "3", "mbox", "refuses it by name; the module reads its messages")
def mbox(run):
    import email.message
    import mailbox

    box = mailbox.mbox("in.mbox")
    for text in TEXTS:
        message = email.message.EmailMessage()
        message["Subject"] = "news"
        message.set_content(text)
        box.add(message)
    box.close()
    assert "this is a mailbox (mbox), which is not read" in run.dedup("in.mbox", "-o", "out", code=1)
    assert [message.get_payload(decode=True).decode().strip() for message in mailbox.mbox("in.mbox")] == TEXTS


@row("MediaWiki", "export 0.11, by its schema", "dumps of pages in XML, in bzip2", "refuses them by name; `wikiextractor --json FILE -o OUT` (3.1.0) makes JSONL, as `'OUT/*/*'`")
def mediawiki(run):
    import bz2

    page = "<page><title>{0}</title><ns>0</ns><id>{0}</id><revision><id>{0}</id><model>wikitext</model><text>'''{1}''' [[Harbour|x]]</text></revision></page>"
    spaces = "<namespaces>\n<namespace key=\"0\" />\n<namespace key=\"10\">Template</namespace>\n</namespaces>"
    info = f"<siteinfo>\n<sitename>Wiki</sitename>\n<base>http://example.org/wiki/Main</base>\n{spaces}\n</siteinfo>"
    # Each element is on a line of its own.
    pages = "".join(page.format(number, text) for number, text in enumerate(TEXTS, 1)).replace("><", ">\n<")
    dump = f"<mediawiki xmlns='http://www.mediawiki.org/xml/export-0.11/' version='0.11'>\n{info}\n{pages}\n</mediawiki>\n"
    pathlib.Path("in.xml.bz2").write_bytes(bz2.compress(dump.encode()))
    assert "this is a dump of a MediaWiki in XML, which is not read" in run.dedup("in.xml.bz2", "-o", "none", code=1)
    extractor = os.path.join(os.path.dirname(sys.executable), "wikiextractor")
    subprocess.run([extractor, "--json", "in.xml.bz2", "-o", "texts", "--processes", "1"], check=True, capture_output=True)
    run.dedup("texts/*/*", "-o", "out.jsonl")
    assert [json.loads(line)["text"] for line in pathlib.Path("out.jsonl").read_text().splitlines()] == [f"{A} x", f"{B} x"]


def cell(text):
    return text.replace("|", "\\|")


def table():
    lines = ["| writer | version or source | what it writes | what Lookalike does | test |", "|---|---|---|---|---|"]
    for _, writer, version, writes, does, test, _ in ROWS:
        lines.append(f"| {cell(writer)} | {version} | {cell(writes)} | {cell(does)} | {test} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--check", metavar="PAGE")
    parser.add_argument("--write", metavar="PAGE")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    program, page = os.path.abspath(arguments.program), arguments.check or arguments.write
    page = page and pathlib.Path(page).resolve()
    failed = []
    for name, *_, check in ROWS:
        if arguments.names and name not in arguments.names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                check(Run(program, folder))
            except Exception as error:
                failed.append(f"{name}: {type(error).__name__}: {error}")
            os.chdir("/")
    if page:
        text = page.read_text()
        start = text.index(MARKS[0]) + len(MARKS[0])
        end = text.index(MARKS[1], start)
        if arguments.write:
            page.write_text(text[:start] + table() + text[end:])
        elif text[start:end] != table():
            failed.append(f"the table of {page.name} is not the one of {pathlib.Path(__file__).name}; --write writes it")
    print(f"{len(arguments.names or ROWS) - len(failed)} passed, {len(failed)} failed", *failed, sep="\n")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
