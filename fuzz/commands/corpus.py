"""A folder of inputs, and its documents if they are known."""

import os
from dataclasses import dataclass

import files
from texts import Texts

FORMATS = {"jsonl": files.jsonl, "array": files.array, "table": files.table, "warc": files.warc, "page": files.page, "text": files.text}


@dataclass
class Corpus:
    """The inputs of a command."""

    arguments: list
    formats: set
    # (id, text, record), in input order. None if only a reader of the format could know the documents.
    documents: list | None
    bad: int = 0



def make(random, folder):
    """Writes inputs to `in` in the folder."""
    texts, root = Texts(random), os.path.join(folder, "in")
    os.makedirs(root)
    # All documents of half of the corpora are known: no file is damaged, and no format needs a reader.
    mild = random.random() < 0.5
    formats = ["jsonl", "jsonl", "array", "table", "text"] if mild else list(FORMATS)
    kinds = [random.choice(formats) for _ in range(random.randint(1, 4))]
    if random.random() < 0.5:
        kinds = kinds[:1] * len(kinds)
    if {"text", "page"}.issuperset(kinds):
        kinds *= random.randint(1, 4)
    corpus, names = Corpus([], set(kinds), []), []
    for number, kind in enumerate(kinds):
        file = FORMATS[kind](random, texts, random.choice([0, 1, 5, 20, 60]), mild)
        content, name = file.content, f"{number:02}.{file.extension}"
        if random.random() < 0.25:
            extension, content = files.compress(random, content)
            name = f"{name}.{extension}"
        if not mild and random.random() < 0.25:
            content, corpus.documents = files.damage(random, content), None
        with open(os.path.join(root, name), "wb") as out:
            out.write(content)
        names.append(name)
        if corpus.documents is not None and file.documents is not None:
            for identity, line, text, record in file.documents:
                place = f"in/{name}" if line is None else f"in/{name}:{line}"
                corpus.documents.append((identity or place, text, record))
            corpus.bad += file.bad
        else:
            corpus.documents = None
    if not mild:
        surroundings(random, root, corpus)
    as_arguments(random, names, corpus)
    return corpus


def surroundings(random, root, corpus):
    """Adds links, hidden files, odd names and folders."""
    if random.random() < 0.2:
        os.symlink(random.choice(["gone.jsonl", ".", "../in", "loop.txt"]), os.path.join(root, "loop.txt"))
        corpus.documents = None
    if random.random() < 0.2:
        with open(os.path.join(root, ".hidden.txt"), "w", encoding="utf-8") as out:
            out.write("nobody should read this")
    if random.random() < 0.2:
        name = random.choice([b"f\xe9.txt", b"\xff\xfe.txt", "漢.txt".encode(), b"a\nb.txt", b"[x].txt", b"-q.txt"])
        with open(os.path.join(os.fsencode(root), name), "w", encoding="utf-8") as out:
            out.write("a text with a name that is not usual at all")
        corpus.documents, corpus.formats = None, corpus.formats | {"text"}
    if random.random() < 0.1:
        os.makedirs(os.path.join(root, "deep/er"))
        with open(os.path.join(root, "deep/er/z.md"), "w", encoding="utf-8") as out:
            out.write("deep down there is another text, of some words")
        corpus.documents, corpus.formats = None, corpus.formats | {"text"}


def as_arguments(random, names, corpus):
    """Chooses the arguments that name the inputs."""
    kind = random.random()
    if kind < 0.4 or corpus.documents is None:
        corpus.arguments = [random.choice(["in", "in/*", "in/**/*", "./in"])]
        if corpus.arguments == ["./in"]:
            corpus.documents = None
    else:
        corpus.arguments = [f"in/{name}" for name in names]


def make_large(random, folder):
    """One file of short documents, so many that a run with little memory uses the disk."""
    os.makedirs(os.path.join(folder, "in"))
    lines, documents = [], []
    for number in range(40_000):
        start = random.randrange(12_000)
        text = f"{start} {start * 7} {start * 11} said so and so {random.randrange(3)}"
        record = f'{{"id":"d{number}","text":"{text}","n":{number % 7}}}\n'
        lines.append(record)
        documents.append((f"d{number}", text, record.encode()))
    with open(os.path.join(folder, "in/0.jsonl"), "w", encoding="utf-8") as out:
        out.writelines(lines)
    return Corpus(["in/0.jsonl"], {"jsonl"}, documents)
