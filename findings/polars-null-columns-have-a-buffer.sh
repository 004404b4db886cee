#!/usr/bin/env bash
# polars 2.1.0: a column of type Null leaves through the C data interface with a buffer.
#
# The format of Arrow says that an array of nulls has no buffers. arrow-rs, and with it arro3-core 0.9.1, refuses the column of polars and reads the
# one of pyarrow 26.0.1. pyarrow reads both.
#
# Seen: pl.DataFrame({"text": [None, None]}) cannot be handed to a library in Rust, though every other type can.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q polars==2.1.0 pyarrow==26.0.1 arro3-core==0.9.1
venv/bin/python - <<'PYTHON'
import ctypes

import arro3.core
import polars
import pyarrow


class Array(ctypes.Structure):
    pass


counts = [(name, ctypes.c_int64) for name in ("length", "null_count", "offset", "n_buffers", "n_children")]
Array._fields_ = [*counts, ("buffers", ctypes.c_void_p), ("children", ctypes.POINTER(ctypes.POINTER(Array))), ("rest", ctypes.c_void_p * 3)]


class Stream(ctypes.Structure):
    get_next = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(Array))
    _fields_ = [("get_schema", ctypes.c_void_p), ("get_next", get_next), ("rest", ctypes.c_void_p * 3)]


def buffers(table):
    """The number of buffers of the first column, as it leaves the library."""
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    capsule, array = table.__arrow_c_stream__(), Array()
    stream = pointer(capsule, b"arrow_array_stream")
    assert Stream.from_address(stream).get_next(stream, ctypes.byref(array)) == 0
    return array.children[0].contents.n_buffers


frame, table = polars.DataFrame({"text": [None, None]}), pyarrow.table({"text": pyarrow.nulls(2)})
print("buffers of a column of nulls: polars", buffers(frame), "pyarrow", buffers(table))
assert (buffers(frame), buffers(table)) == (1, 0)
assert pyarrow.table(frame).num_rows == arro3.core.Table.from_arrow(table).num_rows == 2
try:
    arro3.core.Table.from_arrow(frame)
except Exception as error:
    print("arro3 of polars:", error)
    assert "expect buffer at index 0" in str(error)
else:
    raise SystemExit("arro3 has read it")
PYTHON
