#!/usr/bin/env bash
# courlan 1.4.0 (which trafilatura uses): the clean form of a URL is cleaned further by a second call, and two of its rules change which page a URL
# names.
#
# A reader would expect one form for each page, so that URLs may be compared after one call. "/?" and "/#" become "/" by the first call, and nothing
# by the second. A parameter of a path (RFC 3986, section 3.3: "/a;v=1") has its semicolon encoded, which names another path. A parameter of the
# query without a value is left out.
#
# Seen: when forms of 23 URLs by five libraries were compared with those of Lookalike's index.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q courlan==1.4.0
venv/bin/python - <<'PYTHON'
from courlan import clean_url

for url, once, twice in [
    ("http://example.org/?", "http://example.org/", "http://example.org"),
    ("http://example.org/#", "http://example.org/", "http://example.org"),
    ("http://example.org/a;v=1", "http://example.org/a%3Bv=1", "http://example.org/a%3Bv=1"),
    ("http://example.org/?print&id=3", "http://example.org/?id=3", "http://example.org/?id=3"),
]:
    found = clean_url(url), clean_url(clean_url(url))
    print(f"{url}: once {found[0]}, twice {found[1]}")
    assert found == (once, twice), found
PYTHON
