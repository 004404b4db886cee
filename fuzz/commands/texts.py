"""Texts: near-duplicates of templates in several scripts, and texts without words."""

WORDS = ["the", "of", "Rat", "naïve", "coöperate", "İstanbul", "ß", "ﬁne", "x1", "don't", "e\u0301", "co\u00adoperate", "👩‍👩‍👧", "a-b", "3.14"]
WORDS += [f"w{number}" for number in range(60)]
HAN = "的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生"
SPACES = [" ", "  ", "\t", "\u00a0", "\u3000", " \u2003", "\x1c", "\u200b"]
ODD = ["", " ", "\u0000", "…", "—", "BZh91AY&SY of bzip2", "PAR1\x15", "WARC/1.0 is how", "{", "{}", '{"a":1}', "<html>", "\ufeffmark", "P*M\x18"]


class Texts:
    """The texts of one corpus. Many are a template with a few words changed."""

    def __init__(self, random):
        self.random = random
        self.templates = [self.fresh() for _ in range(random.randint(1, 4))]

    def fresh(self):
        """The words of a text that is similar to no other."""
        if self.random.random() < 0.2:
            return [self.random.choice(HAN) for _ in range(self.random.randint(5, 60))]
        return [self.random.choice(WORDS) for _ in range(self.random.choice([3, 12, 40, 120]))]

    def next(self):
        """A text."""
        random = self.random
        if random.random() < 0.06:
            return random.choice(ODD)
        words = self.fresh() if random.random() < 0.3 else list(random.choice(self.templates))
        for _ in range(random.choice([0, 0, 1, 2, 5])):
            at = random.randrange(len(words) + 1)
            words[at : at + random.randint(0, 2)] = [random.choice(WORDS)] * random.randint(0, 2)
        if random.random() < 0.1:
            words *= random.randint(2, 4)
        space = " " if random.random() < 0.8 else random.choice(SPACES)
        return space.join(words)
