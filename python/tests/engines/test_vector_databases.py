"""docs/vector-databases.md: vectors have the bytes of sketches, and what Milvus finds by its rules is what Lookalike finds."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import lookalike
from conftest import ROOT, corpus
from lookalike import columns

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
pytest.importorskip("numpy")

TEXTS = [*corpus(300), None, "", "..."]
IDS = [7 * row + 3 for row in range(len(TEXTS))]
MINHASH = lookalike.Plan(method="minhash", threshold=0.8, num_perm=126)
SIMHASH = lookalike.Plan(method="simhash", weights="tf", shingle=1, hamming=3)


def programs() -> dict[str, str]:
    """The programs of the page, by the name that their first line has."""
    page = (ROOT / "docs/vector-databases.md").read_text(encoding="utf-8")
    return {block.splitlines()[0].removeprefix("# "): block for block in re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)}


def run(python: str, program: str, folder: Path) -> None:
    (folder / program).write_text(programs()[program], encoding="utf-8")
    ran = subprocess.run([python, program], cwd=folder, env={**os.environ, "HOME": str(folder)}, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr[-4000:]


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the documents and their vectors, as the program of the page writes them."""
    folder = tmp_path_factory.mktemp("vectors")
    documents = {"id": pyarrow.array(IDS, pyarrow.int64()), "text": pyarrow.array(TEXTS, pyarrow.string())}
    parquet.write_table(pyarrow.table(documents), folder / "documents.parquet", row_group_size=100)
    run(sys.executable, "export.py", folder)
    return folder


def test_binary_vectors_are_the_bytes_of_sketches():
    texts = pyarrow.array(TEXTS, pyarrow.string())
    signatures = columns.sketch(texts, MINHASH)
    wide = lookalike.Plan(method="simhash", bits=128)
    fingerprints = columns.fingerprint(texts, wide)
    narrow = columns.fingerprint(texts, SIMHASH)
    numbers = pyarrow.array([value and value.to_bytes(8, "big") for value in narrow.to_pylist()], pyarrow.binary())
    for sketches, expected in ((signatures, signatures), (fingerprints, fingerprints), (narrow, numbers)):
        vectors = columns.binary_vectors(sketches)
        assert vectors.type == pyarrow.list_(pyarrow.uint8())
        values = [value and bytes(value) for value in vectors.to_pylist()]
        assert values == expected.to_pylist() and None in values
        part = columns.binary_vectors(pyarrow.array(sketches)[5:-1])
        assert part.to_pylist() == vectors.to_pylist()[5:-1]
    assert columns.binary_vectors(columns.sketch(pyarrow.array([], pyarrow.string()), MINHASH)).to_pylist() == []


def test_the_file_has_the_vectors_of_every_text_with_words(exported):
    table = parquet.read_table(exported / "vectors.parquet")
    assert table.schema.metadata[b"minhash plan"].decode() == MINHASH.id
    assert table.schema.metadata[b"simhash plan"].decode() == SIMHASH.id
    sketches = zip(IDS, columns.sketch(pyarrow.array(TEXTS), MINHASH), columns.fingerprint(pyarrow.array(TEXTS), SIMHASH))
    expected = {id: (signature, number.to_bytes(8, "big")) for id, signature, number in sketches if signature}
    found = {row["id"]: (bytes(row["signature"]), bytes(row["fingerprint"])) for row in table.to_pylist()}
    assert found == expected and 250 < len(found) < len(IDS)


def milvus_bands(signature: bytes, bands: int) -> list[bytes]:
    """The bands that Milvus cuts a signature of 32-bit values into, by knowhere, src/index/minhash/minhash_util.cc."""
    size = len(signature) // 4 // bands * 4
    return [signature[size * band : size * (band + 1)] for band in range(bands)]


@pytest.mark.parametrize("num_perm", [126, 128])
def test_signatures_share_a_band_of_milvus_if_they_share_a_band_key(num_perm):
    plan = lookalike.Plan(method="minhash", threshold=0.8, num_perm=num_perm)
    assert num_perm // plan.bands == plan.rows
    signatures = columns.sketch(pyarrow.array([text for text in TEXTS[:150] if text]), plan)
    keys = columns.band_keys(signatures, plan).to_pylist()
    bands = [milvus_bands(bytes(vector), plan.bands) for vector in columns.binary_vectors(signatures).to_pylist()]
    shared = 0
    for a, b in itertools.combinations(range(len(bands)), 2):
        equal = [left == right for left, right in zip(bands[a], bands[b])]
        assert any(equal) == bool(set(keys[a]) & set(keys[b]))
        shared += any(equal)
    assert shared > 20


def test_the_share_of_equal_values_is_the_estimate():
    column = pyarrow.array(columns.sketch(pyarrow.array([text for text in TEXTS[:100] if text]), MINHASH))
    values = [[value[at : at + 4] for at in range(0, len(value), 4)] for value in column.to_pylist()]
    pairs = [*itertools.combinations(range(len(values)), 2)]
    left, right = (column.take(pyarrow.array([pair[side] for pair in pairs])) for side in (0, 1))
    shares = [sum(x == y for x, y in zip(values[a], values[b])) / len(values[a]) for a, b in pairs]
    assert columns.estimate(left, right).to_pylist() == pytest.approx(shares) and max(shares) > 0.8


def test_milvus_finds_the_pairs_of_fingerprints_that_lookalike_finds(exported):
    python = os.environ.get("LOOKALIKE_MILVUS")
    if not python:
        pytest.skip("LOOKALIKE_MILVUS names no Python that has pymilvus, milvus-lite 2.5 and pyarrow")
    run(python, "with_milvus.py", exported)
    found = [tuple(row.values()) for row in parquet.read_table(exported / "pairs.parquet").to_pylist()]
    expected = [(IDS[row["a"]], IDS[row["b"]], row["hamming"]) for row in lookalike.pairs(TEXTS, plan=SIMHASH)]
    assert found == sorted(expected) and len({distance for *_, distance in found}) == 4


def test_programs_that_need_a_server_compile():
    compile(programs()["with_minhash_lsh.py"], "with_minhash_lsh.py", "exec")
    assert programs().keys() == {"export.py", "with_milvus.py", "with_minhash_lsh.py"}

