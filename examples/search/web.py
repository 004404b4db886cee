"""The search page: a server that serves it and the pages, and passes queries to the search engine."""
import functools
import http.server
import json
import pathlib
import sys
import urllib.parse

PAGE = pathlib.Path(__file__).with_name("page.html")
# Before and after a word of the query in an excerpt. No text has these characters of the private use area, so nothing must be escaped.
MARKS = ("\ue000", "\ue001")
# The page says how many of all results these are.
RESULTS = 20


def url(address, page):
    """The URL of a page of the folder."""
    return f"{address}/pages/{urllib.parse.quote(page.as_posix())}"


def make_index(search):
    """Says how the search engine stores the documents that lookalike stream writes. Without this, it guesses."""
    keyword = {"type": "keyword"}
    properties = {
        "id": keyword,
        # Letters alone, so that closures finds fn/closures.html.
        "url": {"type": "text", "analyzer": "simple"},
        # With offsets, excerpts of large pages are as quick as those of small ones.
        "text": {"type": "text", "index_options": "offsets"},
        "duplicates": {"properties": {"id": keyword, "url": keyword, "similarity": {"type": "float"}}},
    }
    template = {"settings": {"number_of_replicas": 0}, "mappings": {"properties": properties}}
    search.ask("/_index_template/pages", {"index_patterns": ["pages"], "template": template})


def find(search, words):
    """The pages that have all words, and how many pages and duplicates there are."""
    query = {
        "must": {"simple_query_string": {"query": words, "fields": ["text"], "default_operator": "and", "flags": "PHRASE"}},
        "should": {"match": {"url": words}},
    }
    body = {
        "size": RESULTS,
        "track_total_hits": True,
        "_source": ["url", "duplicates"],
        "query": {"bool": query},
        "highlight": {"pre_tags": MARKS[:1], "post_tags": MARKS[1:], "fields": {"text": {"fragment_size": 160, "number_of_fragments": 2}}},
        "aggs": {"all": {"global": {}, "aggs": {"duplicates": {"value_count": {"field": "duplicates.id"}}}}},
    }
    found = search.ask("/pages/_search?ignore_unavailable=true", body)
    everything = found.get("aggregations", {}).get("all", {"doc_count": 0, "duplicates": {"value": 0}})
    return {
        "total": found["hits"]["total"]["value"],
        "results": [result(hit) for hit in found["hits"]["hits"]],
        "pages": everything["doc_count"],
        "duplicates": everything["duplicates"]["value"],
    }


def from_marked_line(excerpt):
    """The excerpt without the lines before the first marked word. Often these are menus."""
    return excerpt[excerpt.rfind("\n", 0, excerpt.index(MARKS[0])) + 1 :]


def result(hit):
    document = hit["_source"]
    return {
        "url": document["url"],
        "excerpts": list(map(from_marked_line, hit.get("highlight", {}).get("text", []))),
        "duplicates": sorted(document.get("duplicates", []), key=lambda duplicate: (-duplicate["similarity"], duplicate["id"])),
    }


class Handler(http.server.SimpleHTTPRequestHandler):
    """Answers / with the search page, /search?q= with results in JSON, and /pages/ with the pages of the folder."""

    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        if address.path == "/":
            self.answer(200, "text/html", PAGE.read_bytes())
        elif address.path == "/search":
            words = urllib.parse.parse_qs(address.query).get("q", [""])[0]
            try:
                status, answer = 200, find(self.server.search, words)
            except OSError as error:
                status, answer = 502, {"error": str(error)}
            self.answer(status, "application/json", json.dumps(answer).encode())
        elif address.path.startswith("/pages/"):
            super().do_GET()
        else:
            self.send_error(404)

    def answer(self, status, form, body):
        self.send_response(status)
        self.send_header("Content-Type", f"{form}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def translate_path(self, path):
        return super().translate_path(path.removeprefix("/pages"))

    def log_message(self, *_):
        """Requests are not printed."""


class Site(http.server.ThreadingHTTPServer):
    """Has its port from the start, and answers when it has a search engine."""

    search = None

    def __init__(self, port, folder):
        try:
            super().__init__(("127.0.0.1", port), functools.partial(Handler, directory=folder))
        except OSError as error:
            raise SystemExit(f"the search page cannot have port {port} ({error.strerror}): name another one by --port")

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request, client_address):
        # A browser that goes on to another page does not wait for its answer.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)
