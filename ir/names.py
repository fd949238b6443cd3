"""Unique names, compared without case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ir.identifiers import fold


class Names:
    """Generates unique names that differ from the taken ones, ignoring case."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = {fold(name) for name in taken}

    def take(self, name: str) -> None:
        """Mark ``name`` as taken."""
        self._taken.add(fold(name))

    def is_free(self, name: str) -> bool:
        """Whether ``name`` is not taken."""
        return fold(name) not in self._taken

    def free(self, name: str) -> str:
        """Take and return ``name``, with the first free suffix if it is taken."""
        if not self.is_free(name):
            return self.generate(f"{name}_", 1)
        self.take(name)
        return name

    def generate(self, base: str, number: int) -> str:
        """Take and return ``base`` with ``number``, with the first free suffix if that is taken."""
        name, suffix = f"{base}{number}", 0
        while not self.is_free(name):
            name, suffix = f"{base}{number}_{suffix}", suffix + 1
        self.take(name)
        return name


def make_distinct(wanted: Sequence[str], taken: Iterable[str]) -> list[str]:
    """Return unique names that differ from the taken ones, as close as possible to the wanted names.

    >>> make_distinct(["Id", "n", "id"], ["N"])
    ['Id', 'n0', 'id0']
    """
    names = Names(taken)
    chosen = []
    for name in wanted:
        if names.is_free(name):
            names.take(name)
            chosen.append(name)
        else:
            chosen.append(names.generate(name, 0))
    return chosen


def choose_names_beside(names: Sequence[str], taken: Iterable[str], qualifiers: Mapping[int, str]) -> list[str]:
    """Return the names of the columns of a right side of a join, distinct from those of its left side.

    ``qualifiers`` are the folded names of the relations of columns by their positions. A name that is taken gets that
    before it, or a number after it.

    >>> choose_names_beside(["id", "n"], ["ID"], {0: "b", 1: "b"}), choose_names_beside(["id", "n"], ["ID"], {})
    (['b_id', 'n'], ['id_0', 'n'])
    """
    occupied, taken_names = Names(taken), Names(taken)
    for name in names:
        if occupied.is_free(name):
            occupied.take(name)
    chosen: list[str] = []
    for index, own in enumerate(names):
        name = own
        if not taken_names.is_free(name):
            name = f"{qualifiers[index]}_{name}" if index in qualifiers else name
            if not occupied.is_free(name):
                name = occupied.generate(f"{own}_", 0)
            occupied.take(name)
        chosen.append(name)
    return chosen
