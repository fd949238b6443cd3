"""The random choices that build a query: replayed, recorded, and reduced to the smallest that still fail."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

Made = Mapping[str, Sequence[int]]
"""The choices of each part of a query."""


class Choices:
    """A source of numbers that records them.

    Each part of a query has its own numbers, so that other choices in one part leave the rest of the query unchanged.
    The numbers of ``given`` come first, then random ones, or zeros without a ``seed``. Zero is always the simplest
    choice, so fewer and smaller numbers make a simpler query.
    """

    def __init__(self, given: Made, seed: str | None = None) -> None:
        self._given = given
        self._seed = seed
        self._chances: dict[str, random.Random] = {}
        self._part = ""
        self.made: dict[str, list[int]] = {}

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Take the numbers of a part within the current part."""
        around = self._part
        self._part = f"{around}/{name}"
        try:
            yield
        finally:
            self._part = around

    def below(self, bound: int) -> int:
        """Return a number from 0 to ``bound`` - 1."""
        part = self._part
        numbers = self.made.setdefault(part, [])
        given = self._given.get(part, ())
        if len(numbers) < len(given):
            number = given[len(numbers)] % bound
        elif self._seed is None:
            number = 0
        else:
            if part not in self._chances:
                self._chances[part] = random.Random(f"{self._seed} {part}")
            number = self._chances[part].randrange(bound)
        numbers.append(number)
        return number

    def one(self, options: Sequence[T]) -> T:
        """Return one of the options; the first one is the simplest."""
        return options[self.below(len(options))]

    def happens(self, percent: int) -> bool:
        """Return True in ``percent`` of a hundred cases."""
        return self.below(100) >= 100 - percent


def shrink(made: Made, fails: Callable[[Made], bool], attempts: int = 150) -> Made:
    """Return the smallest choices found that still fail, in a bounded number of attempts."""
    smallest = {part: list(numbers) for part, numbers in made.items() if any(numbers)}
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for part, start, replacement in _changes(smallest):
            numbers = smallest.get(part, [])
            if numbers[start : start + len(replacement)] <= replacement:
                continue
            if attempts <= 0:
                return smallest
            attempts -= 1
            candidate = dict(smallest)
            candidate[part] = [*numbers[:start], *replacement, *numbers[start + len(replacement) :]]
            if fails(candidate):
                smallest = candidate
                is_smaller = True
    return smallest


def _changes(made: Made) -> list[tuple[str, int, list[int]]]:
    """Return changes that simplify a query: each names a part, a position in it, and smaller numbers for that position.

    The first part is the case, and each of its dimensions is tried separately. Large parts come before small ones,
    first as a whole.
    """
    changes = [("", place, [0]) for place in range(len(made.get("", ())))]
    others = sorted((part for part in made if part), key=lambda part: (-len(made[part]), part))
    for width in (1_000, 4, 1):
        for part in others:
            size = len(made[part])
            changes += [(part, start, [0] * min(width, size - start)) for start in range(0, size, width)]
    for part in ("", *others):
        changes += [(part, place, [1]) for place in range(len(made.get(part, ())))]
    return changes
