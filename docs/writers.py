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


def row(writer, version, writes, does):
    """Adds a row. The function writes a file with the texts A, A and B, in a new folder, and checks what is kept of it."""

    def add(check):
        ROWS.append((check.__name__, writer, version, writes, does, check))
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


def cell(text):
    return text.replace("|", "\\|")


def table():
    lines = ["| writer | version or source | what it writes | what Lookalike does | test |", "|---|---|---|---|---|"]
    for name, writer, version, writes, does, _ in ROWS:
        lines.append(f"| {cell(writer)} | {version} | {cell(writes)} | {cell(does)} | `{name}` |")
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
