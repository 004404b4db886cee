#!/usr/bin/env python3
"""Gets the jars of Kafka and OpenSearch by Maven, unless they are there: fetch.py FOLDER."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import servers

for name in ("kafka", "search"):
    servers.fetch(name, sys.argv[1])
