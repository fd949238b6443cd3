"""Find the traits of calls that explain an answer which only some of the calls of a function get."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

Traits = frozenset[str]
# An answer depends on few arguments.
MOST_TRAITS = 3
_OF_A_TYPE = 2


def conditions(
    with_answer: Sequence[Traits], without: Sequence[Traits], most: int = MOST_TRAITS
) -> tuple[list[Traits], list[Traits]]:
    """Return combinations of traits that all and only calls with an answer have, and the calls that remain.

    Each combination occurs in no call without the answer. Those with fewer traits are preferred, and among them those
    of more calls. None has more than ``most`` traits, but that of a single call has the types of all its arguments.
    If no call lacks the answer, there is one empty combination.

    Returns:
        The combinations, and the calls with the answer that no combination explains, because a call without the answer
        has the same traits.
    """
    if not without:
        return [frozenset()], []
    rest = list(with_answer)
    found: list[Traits] = []
    for count in range(1, most + 1):
        while rest:
            best = _best(rest, without, count)
            if best is None:
                break
            covered = [traits for traits in rest if best <= traits]
            # A single call shows nothing about others with one of its traits.
            found.append(best if len(covered) > 1 else _types(covered[0], best))
            rest = [traits for traits in rest if not best <= traits]
    return found, rest


def _types(traits: Traits, best: Traits) -> Traits:
    """Return the best traits of a call, its number of arguments and their types."""
    return best | {trait for trait in traits if _rank(trait) in (0, 2)}


def only_types(traits: Traits) -> Traits:
    """Return the traits that are types of arguments."""
    return frozenset(trait for trait in traits if _rank(trait) == _OF_A_TYPE)


def _best(rest: Sequence[Traits], without: Sequence[Traits], count: int) -> Traits | None:
    """Return the combination of ``count`` traits that most calls with the answer and no others have."""
    counted: dict[Traits, int] = {}
    for traits in rest:
        for combination in _combinations(traits, count):
            counted[combination] = counted.get(combination, 0) + 1
    for combination in sorted(counted, key=lambda c: (-counted[c], sum(map(_rank, c)), sorted(c))):
        if not any(combination <= traits for traits in without):
            return combination
    return None


def _combinations(traits: Traits, count: int) -> Iterator[Traits]:
    return map(frozenset, combinations(sorted(traits), count))


def _rank(trait: str) -> int:
    """Return how specific a trait is: a number of arguments, nullability, a type, a constant, a value or fields."""
    if trait.endswith(" arguments"):
        return 0
    if trait in ("NOT NULL", "nullable"):
        return 1
    if " = " in trait or " ROW<" in trait or " TIME(" in trait:
        return 4
    return 3 if trait.endswith((" constant", " of NOT NULL", " of nullable")) else 2
