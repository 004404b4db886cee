"""Lets schemathesis send bodies of JSON lines. It imports this module by SCHEMATHESIS_HOOKS."""
import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def ndjson(_context, value):
    """The bytes of a body: a text is sent as it is, and any other value as a line."""
    return value.encode() if isinstance(value, str) else json.dumps(value).encode() + b"\n"
