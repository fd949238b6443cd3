"""The visible names of FROM: relations, the columns of ``*``, and references to them."""

from __future__ import annotations

from attrs import frozen

from tests.random_joins.choices import Choices
from tests.random_joins.tables import STRUCTS, TEXTS


@frozen
class Relation:
    """A relation of FROM: its name, which may be empty, and the names of its columns."""

    name: str
    columns: tuple[str, ...]


@frozen
class From:
    """A FROM clause: its text, the relations that names can refer to, and the columns of ``*``."""

    text: str
    relations: tuple[Relation, ...]
    star: tuple[str, ...]
    conditions: tuple[str, ...] = ()
    """The conditions for WHERE, since a comma join has no ON."""

    @property
    def left(self) -> Relation:
        """The first relation."""
        return self.relations[0]

    @property
    def right(self) -> Relation:
        """The last relation, which is the first one if there is only one."""
        return self.relations[-1]


def is_number(name: str) -> bool:
    """Whether columns with the name are numeric."""
    return name not in TEXTS and name not in STRUCTS


def in_any_case(at: Choices, name: str, naming: str) -> str:
    """Return a name, sometimes in capitals if the case writes names in any case."""
    return name.upper() if naming == "case" and at.happens(40) else name


def qualified(at: Choices, relation: Relation, column: str, naming: str) -> str:
    """Return a column qualified with its relation, if the relation has a name."""
    written = in_any_case(at, column, naming)
    return f"{in_any_case(at, relation.name, naming)}.{written}" if relation.name else written


def reference(at: Choices, source: From, naming: str) -> str:
    """Return a reference to a numeric column, sometimes unqualified, rarely to a column that may not exist."""
    relation = at.one(source.relations)
    columns = [name for name in relation.columns if is_number(name)]
    if not columns or at.happens(1):
        return at.one(["k", "v"])
    column = at.one(columns)
    return in_any_case(at, column, naming) if at.happens(25) else qualified(at, relation, column, naming)


def key_reference(at: Choices, relation: Relation, naming: str) -> str:
    """Return a reference to the key of a relation."""
    for name in ("k", "p"):
        if name in relation.columns:
            return qualified(at, relation, name, naming)
    numbers = [name for name in relation.columns if is_number(name)]
    return qualified(at, relation, numbers[0], naming) if numbers else "1"


def unique(names: tuple[str, ...]) -> list[str]:
    """Return the names that only one column has."""
    return [name for name in names if names.count(name) == 1]
