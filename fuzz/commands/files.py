"""Files of every format, with the faults of real files."""

import bz2
import gzip
import json
import lzma
import struct
from dataclasses import dataclass, field


@dataclass
class File:
    """A file, and its documents if they are known: (id or None, line counted from 1, text or None, record)."""

    extension: str
    content: bytes
    documents: list | None = field(default_factory=list)
    bad: int = 0


def jsonl(random, texts, count, _):
    """JSON lines. Some are broken, and some only look broken."""
    file, lines = File("jsonl", b""), []
    end = random.choice(["\n", "\n", "\n", "\r\n"])
    for line in range(1, count + 1):
        text, kind = texts.next(), random.random()
        key = "text" if random.random() < 0.9 else "t\\u0065xt"
        fields = [f'"{key}":{json.dumps(text, ensure_ascii=random.random() < 0.5)}']
        identity = f"d{random.randrange(10**9)}" if random.random() < 0.8 else None
        if identity and random.random() < 0.1:
            identity = f"{random.randrange(1, 10**9)}" + "0" * random.choice([2, 25])
            fields.insert(0, f'"id":{identity}')
        elif identity:
            fields.insert(0, f'"id":"{identity}"')
        if random.random() < 0.3:
            fields.append('"n":' + random.choice(["1", "1e400", "NaN", "-Infinity", '"7"', "null", "-0.0", "1E5"]))
        if random.random() < 0.2:
            odd = ['"\\ud800"', "[[[]]]", "[" * 300 + "]" * 300, '{"text":"no"}', '"\\udc00\\ud800"', "1" * 400, "true"]
            fields.append('"x":' + random.choice(odd))
        if random.random() < 0.05:
            fields.insert(0, '"text":"not this one"')
        if random.random() < 0.01:
            # A field that --annotate would add.
            fields.append('"k\\u0065pt":true')
        if random.random() < 0.1:
            random.shuffle(fields[1:])
        record = "{" + random.choice([",", " , "]).join(fields) + "}"
        if kind < 0.01:
            # A document that stays, without a text.
            identity, text, record = None, None, '{"text":null}'
        if 0.01 <= kind < 0.04:
            broken = ['{"text":7}', "[]", "{", '{"text":"a"', '{"other":"x"}', '{"text":"a"}}', "nul", '{"text":"\\ud800"}']
            lines.append(random.choice(broken).encode())
            file.bad += 1
        elif 0.04 <= kind < 0.06:
            lines.append(b'{"text":"caf\xe9 ' + b"x" * random.randint(0, 9) + b'"}')
            file.bad += 1
        elif 0.06 <= kind < 0.09:
            lines.append(random.choice([b"", b"  ", b"\t"]))
        else:
            lines.append(record.encode())
            file.documents.append((identity, line, text, record.encode() + end.encode()))
    file.content = end.encode().join(lines)
    if random.random() < 0.8:
        file.content += end.encode() if lines else b""
    if random.random() < 0.1:
        file.content = b"\xef\xbb\xbf" + file.content
    return file


def array(random, texts, count, careful):
    """The same objects in a JSON array, on one line or several. Some are bad, but end before the next one begins."""
    lines = jsonl(random, texts, count, careful)
    file, elements = File("json", b""), []
    for identity, _, text, record in lines.documents:
        elements.append(record.strip())
        file.documents.append((identity, len(elements), text, None))
        if random.random() < 0.05:
            elements.append(random.choice([b"7", b"[{},1]", b'"a,]"', b'{"text":[1}', b'{"text":"x"}}', b"{} {}", b"nul"]))
            file.bad += 1
    between = random.choice([b",", b",\n", b" ,\r\n  "])
    file.content = b"\n[ " + between.join(elements) + random.choice([b"]", b"\n]\n"])
    if random.random() < 0.1:
        file.content = b"\xef\xbb\xbf" + file.content
    return file


def table(random, texts, count, careful):
    """CSV and TSV, with all kinds of line ends and quotes."""
    delimiter, extension = random.choice([(",", "csv"), ("\t", "tsv")])
    end = random.choice(["\n", "\r\n", "\r", "\r\r\n"])
    columns = random.choice([["id", "text"], ["text"], ["n", "text", "id"], ["text", "text", "id"]])
    file, rows = File(extension, b""), [delimiter.join(columns)]
    for line in range(2, count + 2):
        text = texts.next().replace("\x00", "")
        if careful:
            # No record has a line end, so the ids, which contain the line, are known.
            text = text.replace("\r", " ").replace("\n", " ") or "empty"
        elif random.random() < 0.3:
            text = text.replace(" ", random.choice(["\n", "\r", "\r\n", '"', "\n\n"]), 2)
        identity = f"d{random.randrange(10**9)}" if "id" in columns else None
        values = {"id": identity, "text": text, "n": str(random.randint(-5, 5))}
        quoted = careful or random.random() < 0.8
        cell = lambda value: '"' + value.replace('"', '""') + '"' if quoted and random.random() < 0.9 or delimiter in value or '"' in value and careful else value
        rows.append(delimiter.join(cell(values[column]) for column in columns))
        if not careful and random.random() < 0.05:
            rows[-1] = rows[-1][: random.randrange(len(rows[-1]) + 1)]
        file.documents.append((identity, line, text, None))
    file.content = end.join(rows).encode() + (end.encode() if random.random() < 0.8 else b"")
    if not careful or columns.count("text") > 1:
        file.documents = None
    return file


def warc(random, texts, count, _):
    """A web archive of texts and pages. Some records are malformed."""
    file, records, careful = File("warc", b""), [], random.random() < 0.5
    for line in range(1, count + 1):
        text, uri = texts.next().strip() or "words", f"http://a.example/{random.randrange(10**6)}"
        body = text.encode()
        kind, content_type = "conversion", "text/plain"
        if random.random() < 0.3:
            kind, content_type = "response", "application/http; msgtype=response"
            body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>" + body.replace(b"<", b"&lt;") + b"</p>"
        if random.random() < 0.1:
            kind, content_type = "request", "application/http; msgtype=request"
        length = len(body)
        if not careful and random.random() < 0.1:
            length = random.choice([0, length - 1, length + 1, length + 100, 10**12, "x", -1])
        head = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {uri}\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\n"
        if not careful and random.random() < 0.05:
            head += random.choice(["no colon\r\n", "X:\r\n folded\r\n", "\n"])
        records.append(head.encode() + b"\r\n" + body + b"\r\n\r\n")
    file.content, file.documents = b"".join(records), None
    return file


def page(random, texts, *_):
    """An HTML page."""
    text = texts.next()
    parts = ["<!DOCTYPE html><title>t</title>", f"<p>{text}", "<script>if (a<b) {}</script>", "<div hidden>no</div>", "&nbsp;&amp;&#x1F600;&bogus;", "<!-- never closed"]
    random.shuffle(parts)
    coding = random.choice(["utf-8", "utf-8", "utf-16", "gb18030"])
    return File(random.choice(["html", "htm"]), "".join(parts).encode(coding, "replace"), None)


def text(random, texts, *_):
    """A text file."""
    content = texts.next()
    return File(random.choice(["txt", "md"]), content.encode(), [(None, None, content.lstrip("\ufeff"), None)])


def compress(random, content):
    """The extension of a compression, and the content compressed in one piece or two."""
    at = random.choice([0, len(content) // 2])
    pieces = [content[:at], content[at:]]
    kind = random.choice(["gz", "bz2", "xz", "zst"])
    if kind == "gz":
        return kind, b"".join(gzip.compress(piece, 1, mtime=0) for piece in pieces)
    if kind == "bz2":
        return kind, b"".join(bz2.compress(piece, 1) for piece in pieces)
    if kind == "xz":
        return kind, b"".join(lzma.compress(piece, preset=0) for piece in pieces)
    return kind, b"".join(raw_zstd(piece, random.random() < 0.5) for piece in pieces)


def raw_zstd(content, skipped):
    """A Zstandard frame of uncompressed blocks, because Python has no module for it. pzstd writes a skippable frame before it."""
    blocks = [content[at : at + 65536] for at in range(0, len(content), 65536)] or [b""]
    frame = struct.pack("<IBB", 0xFD2FB528, 0x00, 0x38)
    for number, block in enumerate(blocks):
        frame += struct.pack("<I", len(block) << 3 | (number + 1 == len(blocks)))[:3] + block
    before = struct.pack("<III", 0x184D2A50, 4, len(frame)) if skipped else b""
    return before + frame


def damage(random, content):
    """The content with wrong, missing or additional bytes."""
    content = bytearray(content)
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(content) + 1)
        match random.randrange(4):
            case 0 if at < len(content):
                content[at] ^= 1 << random.randrange(8)
            case 1:
                del content[at : at + random.randint(1, 40)]
            case 2:
                content[at:at] = random.choice([b"\x00", b"\xff\xfe", b'"', b"\r", b"\n", b"WARC/1.0\r\n", b"{", content[:30]])
            case _:
                del content[at:]
    return bytes(content)
