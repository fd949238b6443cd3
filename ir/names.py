"""Names that differ from each other, whatever their case."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ir.identifiers import fold


class Names:
    """Hands out names that differ from each other and from those already taken, whatever their case."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = {fold(name) for name in taken}

    def take(self, name: str) -> None:
        """Count ``name`` as taken."""
        self._taken.add(fold(name))

    def is_free(self, name: str) -> bool:
        """Whether nobody has ``name``."""
        return fold(name) not in self._taken

    def free(self, name: str) -> str:
        """Return ``name`` or, where that is taken, with the first free suffix after it."""
        if not self.is_free(name):
            return self.generate(f"{name}_", 1)
        self.take(name)
        return name

    def generate(self, base: str, number: int) -> str:
        """Return ``base`` with ``number`` or, where that is taken, with the first free suffix after it."""
        name, suffix = f"{base}{number}", 0
        while not self.is_free(name):
            name, suffix = f"{base}{number}_{suffix}", suffix + 1
        self.take(name)
        return name


def make_distinct(wanted: Sequence[str], taken: Iterable[str]) -> list[str]:
    """Return names that differ from each other and from those taken, as near as possible to what is wanted.

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
