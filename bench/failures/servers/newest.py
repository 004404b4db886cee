#!/usr/bin/env python3
"""Prints the newest engine of a product that runs here: newest.py elasticsearch."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import servers

print(servers.newest(sys.argv[1]))
