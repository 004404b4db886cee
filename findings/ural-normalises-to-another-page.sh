#!/usr/bin/env bash
# ural 1.6.2: normalize_url by its defaults takes another page for some URLs, decodes once more with each call, and gives an address of IPv6 a form
# that no call can read.
#
# A reader would expect a form of the same page. A URL with a parameter "redirect" becomes the URL in that parameter (the option infer_redirection is
# on). "%252F" becomes "%2F" by the first call and "/" by the second. A host "[2001:db8::1]:8080" (RFC 3986, section 3.2.2) loses its brackets, and a
# second call raises ValueError. So a normalised URL must not be normalised again.
#
# Seen: when forms of 23 URLs by five libraries were compared with those of Lookalike's index.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q ural==1.6.2
venv/bin/python - <<'PYTHON'
from ural import normalize_url

other = normalize_url("http://shop.example/basket?redirect=http%3A%2F%2Fnews.example%2Ftoday")
print("with a parameter redirect:", other)
assert other == "news.example/today"

once = normalize_url("http://example.org/a%252Fb")
print("once:", once, "twice:", normalize_url(once))
assert (once, normalize_url(once)) == ("example.org/a%2Fb", "example.org/a/b")

bare = normalize_url("http://[2001:db8::1]:8080/x")
print("IPv6 with a port:", bare)
assert bare == "2001:db8::1:8080/x"
try:
    normalize_url(bare)
except ValueError as error:
    print("normalised again:", error)
else:
    raise SystemExit("its form can be read")
PYTHON
