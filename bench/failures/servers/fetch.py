#!/usr/bin/env python3
"""Gets the jars of Kafka and of search engines by Maven, unless they are there: fetch.py FOLDER [ENGINE...]. The engine of most tests is always among them."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import servers

for name in ("kafka", servers.ENGINE, *sys.argv[2:]):
    servers.fetch(name, sys.argv[1])
