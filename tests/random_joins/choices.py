"""The random choices that make a query: replayed, recorded, and reduced to the smallest that still fail."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


class Choices:
    """A source of numbers that remembers what it gave.

    The numbers of ``given`` come first, then random ones, or zeros if there is no ``chance``. Zero is always the
    simplest choice, so that fewer and smaller numbers make a simpler query.
    """

    def __init__(self, given: Sequence[int], chance: random.Random | None = None) -> None:
        self._given = given
        self._chance = chance
        self.made: list[int] = []

    def below(self, bound: int) -> int:
        """Return a number from 0 to ``bound`` - 1."""
        place = len(self.made)
        if place < len(self._given):
            number = self._given[place] % bound
        else:
            number = self._chance.randrange(bound) if self._chance is not None else 0
        self.made.append(number)
        return number

    def one(self, options: Sequence[T]) -> T:
        """Return one of the options, of which the first is the simplest."""
        return options[self.below(len(options))]

    def happens(self, percent: int) -> bool:
        """Return True in so many of a hundred cases."""
        return self.below(100) >= 100 - percent


def shrink(made: list[int], fails: Callable[[list[int]], bool], attempts: int = 80) -> list[int]:
    """Return the smallest list of choices found that still fails, in a bounded number of attempts."""
    smallest = made
    left = attempts
    is_smaller = True
    while is_smaller and left > 0:
        is_smaller = False
        for candidate in _simpler(smallest):
            if left <= 0:
                break
            left -= 1
            if fails(candidate):
                smallest = candidate
                is_smaller = True
                break
    while smallest and smallest[-1] == 0:
        smallest = smallest[:-1]
    return smallest


def _simpler(made: list[int]) -> Iterator[list[int]]:
    """Yield simpler lists: without the end, without a part, with zeros in place of a part, with a smaller number."""
    size = len(made)
    for length in (size // 4, size // 2, size * 3 // 4):
        if 0 < length < size:
            yield made[:length]
    for width in (16, 4, 1):
        for start in range(max(size - width, 0), -1, -width):
            part = made[start : start + width]
            if any(part):
                yield made[:start] + [0] * len(part) + made[start + width :]
    for start, number in enumerate(made):
        if number > 1:
            yield [*made[:start], 1, *made[start + 1 :]]
