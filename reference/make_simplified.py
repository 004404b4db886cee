#!/usr/bin/env python3
"""Writes the pairs of a Chinese character and its simplified form that `--fold chinese` takes as equal.

    pip download --no-deps opencc-python-reimplemented==0.1.7
    unzip -p opencc_python_reimplemented-0.1.7-*.whl opencc/dictionary/TSCharacters.txt > TSCharacters.txt
    apt-get download unicode-data=15.0.0-1 && dpkg -x unicode-data_15.0.0-1_all.deb .
    bzcat usr/share/unicode/Unihan_Variants.txt.bz2 > Unihan_Variants.txt
    make_simplified.py TSCharacters.txt Unihan_Variants.txt > crates/core/src/text/folds/simplified.txt

OpenCC goes before Unihan's kSimplifiedVariant: what OpenCC calls simplified stays as it is. A character with several simplified forms
gets the first of them that is another character. Pairs of compatibility characters, which the normal form does not have, are left out.
"""
import sys
import unicodedata


def opencc(path):
    """The first simplified form of each character."""
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if "\t" in line and not line.startswith("#")]
    return first_others((character, forms.split()) for character, forms in rows)


def unihan(path):
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if "\tkSimplifiedVariant\t" in line]
    return first_others((character_at(row[0]), [character_at(point) for point in row[2].split()]) for row in rows)


def character_at(point):
    return chr(int(point.partition("<")[0].removeprefix("U+"), 16))


def first_others(rows):
    others = ((character, [form for form in forms if form != character]) for character, forms in rows)
    return {character: forms[0] for character, forms in others if forms}


def last_form(pairs, character):
    seen = {character}
    while character in pairs and pairs[character] not in seen:
        character = pairs[character]
        seen.add(character)
    return character


def is_normal(characters):
    return all(unicodedata.normalize("NFKC", character) == character for character in characters)


def main():
    by_opencc = opencc(sys.argv[1])
    simplified = set(by_opencc.values())
    pairs = {character: form for character, form in unihan(sys.argv[2]).items() if character not in simplified} | by_opencc
    pairs = {character: last_form(pairs, character) for character in pairs}
    chosen = sorted((character, form) for character, form in pairs.items() if form != character and is_normal(character + form))
    for first in range(0, len(chosen), 40):
        print("".join(character + form for character, form in chosen[first : first + 40]))


if __name__ == "__main__":
    main()
