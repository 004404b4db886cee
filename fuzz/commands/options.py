"""Random valid command lines."""

MINHASH = [[], [], ["--num-perm", "64"], ["--scheme", "classic"], ["--bands", "16", "--rows", "4"], ["--recall", "0.9"]]
SIMHASH = [[], ["--verify"], ["--bits", "128"], ["--hamming", "6"], ["--weights", "tf"], ["--tie", "one"], ["--feature-hash", "murmur3"], ["--feature-hash", "md5"]]
ESTIMATE = "--verify=estimate"
MEASURES = [[], [], ["--measure", "containment"], ["--measure", "word-jaccard"], ["--measure", "cosine"]]
LISTS = [".jsonl", ".jsonl", ".csv", ".tsv", ".jsonl.gz", ".csv.zst", ".parquet"]


def similarity(random, command):
    """Options of similarity and of the search."""
    options = ["--tokens", random.choice(["words", "words", "whitespace", "chars", "jieba"])]
    options += ["--shingle", random.choice(["1", "2", "3", "5"])]
    if random.random() < 0.2:
        options += ["--stop-words", "en,fr"]
    if command == "frequencies":
        return options
    if random.random() < 0.2:
        options += ["--seed", str(random.randrange(9))]
    if command in ("dedup", "pairs") and random.random() < 0.2:
        options += ["--drop-frequent", random.choice(["0.05", "0.2", "0.5", "0.9"])]
    methods = ["minhash", "simhash"] if command == "sketch" else ["auto", "minhash", "minhash", "exact", "simhash"]
    method = random.choice(methods)
    options += ["--method", method]
    if method == "simhash":
        options += random.choice(SIMHASH)
        if "--verify" not in options:
            return options
    if method == "minhash":
        options += random.choice(MINHASH)
    if command == "sketch":
        return options
    if method == "minhash" and random.random() < 0.25:
        return options + [ESTIMATE, "--threshold", random.choice(["0.3", "0.5", "0.8", "1"])]
    return options + ["--threshold", random.choice(["0.3", "0.5", "0.8", "0.95", "1"])] + random.choice(MEASURES)


def similarity_of_many(random):
    """The same options for many short documents with few similar ones."""
    return ["--threshold", "0.8", "--shingle", "2", "--method", "minhash", *random.choice([[], [ESTIMATE], ["--num-perm", "256"], ["--scheme", "classic"]])]


def reading(random):
    """Options of the reader."""
    options = ["--max-record", random.choice(["64MiB", "64MiB", "64MiB", "300", "2KiB"])]
    if random.random() < 0.1:
        options += ["--id-field", random.choice(["text", "n", "nothing"])]
    if random.random() < 0.05:
        options += ["--strict"]
    if random.random() < 0.03:
        options += ["--text-field", "id"]
    return options


def outputs(random, command, formats, is_compared):
    """Options of the outputs. `is_compared` says that the run compares documents, and not only their fingerprints."""
    if command != "dedup":
        kinds = {"pairs": LISTS, "sketch": [".jsonl", ".csv", ".parquet"], "frequencies": [""]}
        return ["-o", f"out/{command}{random.choice(kinds[command])}"]
    lists = random.choice(LISTS)
    options = ["--removed", f"out/removed{lists}", "--clusters", f"out/clusters{lists}"]
    extension = {frozenset(["jsonl"]): ".jsonl", frozenset(["array"]): ".json", frozenset(["warc"]): ".warc"}.get(frozenset(formats), "")
    options += ["-o", "out/kept" + random.choice(["", extension])]
    options += random.choice([[], [], ["--keep", "last"], ["--keep", "longest"], ["--keep", "2"], ["--keep", "none"]])
    if formats <= {"jsonl", "array", "table"} and random.random() < 0.2:
        options += ["--annotate"]
        if "--keep" not in options:
            options += ["--keep", random.choice(["max:n", "min:n"])]
    if is_compared:
        options += random.choice([[], [], ["--cluster", "star"], [] if "none" in options else ["--min-containment", "0.9"]])
    if "--annotate" in options and random.random() < 0.3:
        options += ["--within", random.choice(["n", "id,n"])]
    if random.random() < 0.2:
        options += ["--report", "out/report.html"]
    return options
