"""The class `Simhash` of programs for simhash."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from lookalike._lookalike import simhash_features, simhash_text
from lookalike._pickled import PICKLED, check_version

LETTERS = r"[\w\u4e00-\u9fcc]+"
"""What counts of a text, unless `reg` says otherwise."""


class Simhash:
    """The Simhash of the package simhash: the same value, bit by bit, for its default hash function (MD5) and any other.

    value: a text (the windows of 4 characters of what `reg` matches), features (each a str, or a str and a weight, or a
    dict of them), a value of another, or another Simhash.

    >>> import lookalike
    >>> lookalike.Simhash(["aaa", "bbb"]).value
    57087923692560392
    >>> lookalike.Simhash("How are you?").distance(lookalike.Simhash("How are you!"))
    0

    In simhash 2.1.2, the weight of a feature goes on to later features without a weight. Here it does not, unless
    `legacy_weights` is true. `f` is a multiple of 8 up to 128; a larger one raises `NotImplementedError`. `log` has no
    effect.
    """

    value: int
    f: int

    large_weight_cutoff = 50
    """The greatest integer weight that is summed apart. It is not read here."""
    batch_size = 200
    """Features that are summed apart. It is not read here."""

    def __init__(
        self,
        value: str | Iterable[Any] | Mapping[str, float] | int | Simhash,
        f: int = 64,
        reg: str | re.Pattern[str] = LETTERS,
        hashfunc: Callable[[bytes], bytes | int] | None = None,
        log: object | None = None,
        *,
        legacy_weights: bool = False,
    ) -> None:
        check_bits(f)
        self.f = f
        self.reg = reg
        self.hashfunc = hashfunc
        if isinstance(value, Simhash):
            self.value = value.value
        elif isinstance(value, str):
            content = "".join(re.findall(reg, value.lower()))
            if hashfunc is None:
                self.value = simhash_text(content, f)
            else:
                self.value = simhash_features(counted(content).items(), f, hashfunc, False)
        elif isinstance(value, Mapping):
            self.value = simhash_features(value.items(), f, hashfunc, legacy_weights)
        elif isinstance(value, Iterable):
            self.value = simhash_features(value, f, hashfunc, legacy_weights)
        elif hasattr(value, "__index__"):
            self.value = int(value)
        else:
            raise TypeError(f"value must be a text, features, an int or a Simhash, and is {type(value).__name__}")

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "pickled": PICKLED}

    def __setstate__(self, state: dict[str, Any]) -> None:
        check_version("Simhash", state.get("pickled"))
        vars(self).update({name: value for name, value in state.items() if name != "pickled"})

    def distance(self, another: Simhash) -> int:
        """The number of bits in which the values differ."""
        if self.f != another.f:
            raise AssertionError(f"the values have {self.f} and {another.f} bits")
        return ((self.value ^ another.value) & ((1 << self.f) - 1)).bit_count()

    def __eq__(self, other: object) -> bool:
        return self.value == other.value if isinstance(other, Simhash) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return f"Simhash({self.value}, f={self.f})"


def counted(content: str) -> dict[str, int]:
    """The windows of 4 characters, and how often each occurs, in ascending order."""
    counts: dict[str, int] = {}
    for start in range(max(len(content) - 3, 1)):
        window = content[start : start + 4]
        counts[window] = counts.get(window, 0) + 1
    return dict(sorted(counts.items()))


def check_bits(f: int) -> None:
    """Refuses widths that are not here."""
    if f % 8:
        raise ValueError(f"f must be a multiple of 8, and is {f}")
    if not 8 <= f <= 128:
        raise NotImplementedError(f"f must be from 8 to 128, and is {f}: keep simhash for more bits")
