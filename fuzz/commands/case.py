"""One case: a corpus, a command, and the checks of its result."""

import json
import os
import shutil
from fractions import Fraction
from random import Random

import corpus as corpora
import options
from pairs import similar
from running import Runner, check, same

# The least memory for a run with one thread.
LITTLE = "68MiB"


def levels():
    """The instruction sets of this machine."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        flags = set(next((line for line in file if line.startswith("flags")), "").split())
    known = {"avx2": {"avx2"}, "avx512": {"avx512f", "avx512bw", "avx512vl", "avx512dq"}}
    return ["scalar"] + [name for name, needed in known.items() if needed <= flags]


class Case:
    """Case `number` of `seed`. It depends on nothing else."""

    def __init__(self, seed, number, program, work):
        self.random = Random(f"{seed} {number}")
        self.folder = os.path.join(work, f"{seed}-{number}")
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        with open(os.path.join(self.folder, "file"), "w", encoding="utf-8"):
            # A file in the place of a folder: no output can be written below it.
            pass
        self.runner = Runner(program, self.folder)
        self.large = number % 40 == 39

    def run(self):
        if self.large:
            self.corpus = corpora.make_large(self.random, self.folder)
            return self.many()
        self.corpus = corpora.make(self.random, self.folder)
        kinds = [self.variants, self.variants, self.unwritable]
        if self.known() is not None:
            kinds += [self.exact, self.minhash]
            kinds += [self.copy] * 2 if self.corpus.formats == {"jsonl"} else []
            kinds += [self.index] * 3 if len(self.corpus.arguments) > 1 and self.corpus.formats <= {"jsonl", "array", "table"} else []
        return self.random.choice(kinds)()

    def variants(self):
        """A run gives the same result with any number of threads, any instruction set and little memory."""
        random = self.random
        command = self.command(random.choice(["dedup", "dedup", "dedup", "pairs", "sketch", "frequencies"]))
        first = self.runner.run([*command, "--threads", "2"], keep="first")
        others = [([*command, "--threads", threads], {}) for threads in ("1", "5")]
        others += [([*command, "--threads", "2"], {"LOOKALIKE_SIMD": level}) for level in levels()]
        for arguments, environment in random.sample(others, 3):
            same(first, self.runner.run(arguments, **environment))
        if command[0] in ("dedup", "pairs"):
            same(first, self.runner.run([*command, "--threads", "1", "--memory", LITTLE]))
        if command[0] == "dedup" and first.code in (0, 3):
            self.adds_up(first)
        return command[0]

    def command(self, name):
        """A command line, without the number of threads."""
        random, formats = self.random, self.corpus.formats
        similarity = options.similarity(random, name)
        is_compared = ("simhash" not in similarity or "--verify" in similarity) and options.ESTIMATE not in similarity
        command = [name, *self.corpus.arguments, *similarity, *options.reading(random)]
        return [*command, *options.outputs(random, name, formats, is_compared), "--summary", "out/summary.json", "-q"]

    def many(self):
        """A run that uses the disk gives the same result."""
        random, name = self.random, self.random.choice(["dedup", "pairs"])
        similarity = options.similarity_of_many(random)
        command = [name, *self.corpus.arguments, *similarity, *options.outputs(random, name, {"jsonl"}, options.ESTIMATE not in similarity)]
        command += ["--max-record", "1MiB", "--summary", "out/summary.json", "-q"]
        first = self.runner.run([*command, "--threads", random.choice("25")])
        little = self.runner.run([*command, "--threads", "1", "--memory", LITTLE])
        same(first, little)
        check(little.summary["spilled"], f"{little.command}: the run did not use the disk")
        return "many"

    def unwritable(self):
        """If one output cannot be written, no output gets its name."""
        random = self.random
        command = self.command(random.choice(["dedup", "dedup", "pairs", "sketch", "frequencies"]))
        places = [at for at, option in enumerate(command) if at and command[at - 1] in ("-o", "--removed", "--clusters", "--summary", "--report")]
        at = random.choice(places)
        how = random.choice(["folder", "full", "long", "size", "input"])
        if how == "size":
            self.runner.run(command, file_bytes=random.choice([0, 1, 100, 3000]))
            return "unwritable"
        if how == "input" and command[at - 1] == "-o" and command[0] == "dedup":
            command[at] = "in"
        elif how == "full" and command[at - 1] in ("--summary", "--report"):
            command[at] = "/dev/full"
        elif how == "long":
            command[at] = f"out/{'n' * 260}{os.path.splitext(command[at])[1]}"
        else:
            command[at] = f"out/none/{os.path.basename(command[at])}" if command[0] != "dedup" or command[at - 1] != "-o" else "file/kept"
        ran = self.runner.run(command)
        check(ran.code in (1, 2), f"{ran.command}: ended with {ran.code}, and cannot write {command[at]}")
        return "unwritable"

    def adds_up(self, ran):
        """Every document is kept or removed, and the lists agree with the summary."""
        summary = ran.summary
        check(summary["documents"] == summary["kept"] + summary["removed"], f"{ran.command}: {summary}")
        known = self.corpus.documents
        is_read = not any(option in ran.command for option in ("--text-field", "--max-record 300", "--max-record 2KiB"))
        if known is not None and is_read:
            check(summary["documents"] == len(known), f"{ran.command}: {summary['documents']} of {len(known)} documents")
            nulls = sum(text is None for _, text, _ in known)
            check(summary["without_text"] == nulls, f"{ran.command}: {summary['without_text']} without text, not {nulls}")
            check(summary["skipped"] == self.corpus.bad, f"{ran.command}: {summary['skipped']} skipped, not {self.corpus.bad}")
        if "--annotate" in ran.command and "kept.jsonl" in ran.files:
            ran.rows("kept.jsonl")
        if "kept.json" in ran.files:
            kept = len(json.loads(ran.files["kept.json"].decode("utf-8-sig")))
            written = summary["documents"] if "--annotate" in ran.command else summary["kept"]
            check(kept == written, f"{ran.command}: {kept} elements, {written} kept")
        if "removed.jsonl" in ran.files:
            removed = ran.rows("removed.jsonl")
            check(len(removed) == summary["removed"], f"{ran.command}: {len(removed)} rows, {summary['removed']} removed")
            members = ran.rows("clusters.jsonl")
            kept = sum(member["kept"] for member in members)
            check(len(members) - kept == summary["removed"], f"{ran.command}: {len(members)} members, {kept} of them kept")
            most = 0 if "--keep none" in ran.command else 2 if "--keep 2" in ran.command else 1
            for cluster in {member["cluster"] for member in members}:
                stay = [member["kept"] for member in members if member["cluster"] == cluster]
                is_right = sum(stay) == min(most, len(stay)) or ("--min-containment" in ran.command and sum(stay) > most)
                check(is_right, f"{ran.command}: {sum(stay)} of {len(stay)} members of cluster {cluster} are kept")

    def known(self):
        """The documents, if all are known and their ids differ."""
        documents = self.corpus.documents
        if documents is None or len({identity for identity, _, _ in documents}) < len(documents):
            return None
        return documents

    def pairs(self, method, measure):
        """The pairs that the program finds, and the true pairs, by the numbers of their documents."""
        documents, random = self.known(), self.random
        threshold, shingle = random.choice(["0.25", "0.5", "0.8", "1"]), random.choice(["1", "2", "5"])
        command = ["pairs", *self.corpus.arguments, "--method", method, "--measure", measure, "-t", threshold, "--shingle", shingle]
        command += ["--tokens", "whitespace", "-o", "out/pairs.jsonl", "--summary", "out/summary.json", "-q"]
        audited = method == "minhash" and random.random() < 0.5
        ran = self.runner.run(command + (["--audit", "1000000"] if audited else []))
        if ran.code in (1, 2):
            check(not documents, f"{ran.command}: {ran.stderr}")
            return ran, {}, {}
        numbers = {identity: number for number, (identity, _, _) in enumerate(documents)}
        found = {(numbers[row["a"]], numbers[row["b"]]): row for row in ran.rows("pairs.jsonl")}
        found = {pair: next(value for key, value in row.items() if key not in ("a", "b")) for pair, row in found.items()}
        expected = similar(documents, int(shingle), Fraction(threshold), measure)
        if audited and expected:
            # All documents were compared with all others.
            recall = ran.summary["audit"]["recall"]
            check(abs(recall - len(found) / len(expected)) < 1e-6, f"{ran.command}: {len(found)} of {len(expected)} pairs is no recall of {recall}")
        return ran, found, expected

    def exact(self):
        """The exact method finds the true pairs and no others."""
        ran, found, expected = self.pairs("exact", self.random.choice(["jaccard", "jaccard", "containment"]))
        check(found.keys() == expected.keys(), f"{ran.command}: pairs differ: {sorted(found.keys() ^ expected.keys())}")
        self.right(ran, found, expected)
        return "exact"

    def minhash(self):
        """MinHash finds only true pairs."""
        ran, found, expected = self.pairs("minhash", self.random.choice(["jaccard", "jaccard", "containment"]))
        check(found.keys() <= expected.keys(), f"{ran.command}: no pairs: {sorted(found.keys() - expected.keys())}")
        self.right(ran, found, expected)
        return "minhash"

    def right(self, ran, found, expected):
        wrong = [(pair, value, expected[pair]) for pair, value in found.items() if abs(value - expected[pair]) > 1e-6]
        check(not wrong, f"{ran.command}: wrong figures: {wrong}")

    def copy(self):
        """Kept JSON lines are copied byte for byte, in their order."""
        documents = self.known()
        command = ["dedup", *self.corpus.arguments, "-o", "out/kept.jsonl", "--removed", "out/removed.jsonl"]
        command += [*options.similarity(self.random, "dedup"), "--summary", "out/summary.json", "--clusters", "out/clusters.jsonl", "-q"]
        ran = self.runner.run(command)
        if ran.code in (1, 2):
            return "copy"
        self.adds_up(ran)
        removed = {row["id"] for row in ran.rows("removed.jsonl")}
        expected = b"".join(record.rstrip(b"\r\n") + b"\n" for identity, _, record in documents if identity not in removed)
        kept = ran.files["kept.jsonl"].replace(b"\xef\xbb\xbf{", b"{").replace(b"\r\n", b"\n")
        check(kept.rstrip(b"\n") == expected.rstrip(b"\n"), f"{ran.command}: kept are other bytes")
        return "copy"

    def index(self):
        """An index that grew in parts gives the same result as one run over all files."""
        random, names = self.random, self.corpus.arguments
        threads = lambda: ["--threads", random.choice("125"), "-q"]
        by_minhash = [*random.choice([[], ["-t", "0.5", "--shingle", "2"], ["--measure", "containment"], ["--seed", "3"]]), "--method", "minhash"]
        by_simhash = ["--method", "simhash", *random.choice([[], ["--hamming", "9"], ["--bits", "128", "--weights", "tf"], ["--shingle", "2"]])]
        similarity = random.choice([by_minhash, by_simhash])
        texts = ["--store-texts", "false"] if similarity is by_simhash and random.random() < 0.7 else []
        if random.random() < 0.3:
            # An index takes a table of frequencies.
            counted = [option for name in ("--shingle", "--seed") if name in similarity for option in (name, similarity[similarity.index(name) + 1])]
            if self.runner.run_beside(["frequencies", *names, "-o", "all.df", *counted, "-q"], "all.df") in (1, 2):
                return "index"
            similarity = [*similarity, "--drop-frequent", random.choice(["0.2", "0.5", "0.9"]), "--frequencies", "all.df"]
        places = [f"{part}.index" for part in range(2)]
        builds = [(places[0], names[:1], names[1:-1]), (places[1], names[:-1], [])]
        for place, first, rest in builds:
            for arguments in [["build", *first, "-o", place, *similarity, *texts], *(["add", place, name] for name in rest)]:
                code = self.runner.run_beside(["index", *arguments, *threads()], place)
                if code in (1, 2):
                    return "index"
        lists = ["-o", "out/kept", "--removed", "out/removed.jsonl", "--summary", "out/summary.json"]
        lists += random.choice([[], ["--only-against"]])
        found = [self.runner.run(["dedup", names[-1], "--against", place, *lists, *threads()], keep=f"by-{place}") for place in places]
        together = self.runner.run(["dedup", names[-1], *[f"--against={name}" for name in names[:-1]], *lists, *similarity, "-q"])
        for ran in found:
            check(ran.code == found[0].code, f"{ran.command}: {ran.code}, not {found[0].code}: {ran.stderr}")
            if ran.code in (0, 3) and together.code in (0, 3):
                check(listed(ran) == listed(together), f"{ran.command}\n{together.command}\nremoved differ")
                kept = [{name: content for name, content in each.files.items() if name.startswith("kept")} for each in (ran, together)]
                check(kept[0] == kept[1], f"{ran.command}\n{together.command}\nkept differ")
        return "index"


def listed(ran):
    """The rows of removed documents, without the numbers of clusters."""
    return sorted((row["id"], row["kept_id"], row.get("jaccard"), row.get("overlap"), row.get("hamming"), row["containment"]) for row in ran.rows("removed.jsonl"))
