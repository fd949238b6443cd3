"""Names of catalog objects: how they are written, parsed and compared."""

from __future__ import annotations

import re
from functools import lru_cache

from ir.errors import ValidationException
from ir.nodes import Node, node

# A query has the same names many times; how many different ones are kept is bounded.
_NAMES = 16_384
_PART = re.compile(r"`((?:[^`]|``)*)`|([^`.\s][^`.]*)")
# What stands for itself without quotes; Spark reads a name that begins with a digit, Flink does not.
_PLAIN = re.compile(r"[\w$]+")


@lru_cache(_NAMES)
def quote(name: str) -> str:
    """Return the name as a quoted SQL identifier of either dialect, every back-quote in it doubled.

    >>> quote("a`b")
    '`a``b`'
    """
    return "`" + name.replace("`", "``") + "`"


@lru_cache(_NAMES)
def fold(name: str) -> str:
    """Return what names are compared by: Spark finds a name whatever its case."""
    return name.lower()


def equals_ignoring_case(left: str, right: str) -> bool:
    """Whether Spark takes the names of two fields of a row for one: it compares them letter by letter.

    >>> equals_ignoring_case("ſ", "S"), equals_ignoring_case("ß", "SS")
    (True, False)
    """
    if left == right:
        return True
    return len(left) == len(right) and all(map(_same_letter, left, right))


def _same_letter(left: str, right: str) -> bool:
    # Java's Character.toUpperCase leaves a letter alone that has no upper case of one letter.
    upper_left, upper_right = (c.upper() if len(c.upper()) == 1 else c for c in (left, right))
    return upper_left == upper_right or upper_left.lower() == upper_right.lower()


@lru_cache(_NAMES)
def parse_path(path: str) -> tuple[str, ...]:
    """Split the path of a catalog object into its one to three parts; a part may be quoted with back-quotes.

    >>> parse_path("hive.`my db`.t")
    ('hive', 'my db', 't')

    Raises:
        ValidationException: the path is empty, has a part of blanks, an open quote, a part that has to be quoted and is
            not, or more than three parts.
    """
    parts: list[str] = []
    position = 0
    while True:
        match = _PART.match(path, position)
        if match is None:
            raise ValidationException(_malformed(path, "has an empty part or an open back-quote"))
        quoted, plain = match.groups()
        part = quoted.replace("``", "`") if quoted is not None else plain.rstrip()
        if quoted is None and not _PLAIN.fullmatch(part):
            odd = next(c for c in part if not _PLAIN.fullmatch(c))
            problem = f"has {odd!r} in a part that is not quoted; write {quote(part)}"
            raise ValidationException(_malformed(path, problem))
        parts.append(part)
        position = match.end()
        if position == len(path):
            break
        if path[position] != ".":
            raise ValidationException(_malformed(path, f"has an unexpected {path[position]!r} after part {len(parts)}"))
        position += 1
    if not all(part.strip() for part in parts):
        raise ValidationException(_malformed(path, "has an empty part"))
    if len(parts) > 3:
        raise ValidationException(_malformed(path, f"has {len(parts)} parts"))
    return tuple(parts)


def _malformed(path: str, problem: str) -> str:
    return (
        f"The path {path!r} {problem}. Accepted is [catalog.][database.]name, where a part of more than letters, "
        "digits, _ and $ is quoted with back-quotes."
    )


@node
class ObjectIdentifier(Node):
    """The name of a catalog object; a temporary view has no catalog, and no database but Spark's of global ones."""

    name: str
    database: str | None = None
    catalog: str | None = None

    @property
    def is_temporary(self) -> bool:
        """Whether the name is that of a temporary object, which no catalog holds."""
        return self.catalog is None

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts that the name has, the catalog first."""
        return tuple([part for part in (self.catalog, self.database, self.name) if part is not None])

    def as_serializable_string(self) -> str:
        """Return the name as SQL, every part quoted."""
        return ".".join(quote(part) for part in self.parts)

    def as_summary_string(self) -> str:
        """Return the name for people, no part quoted."""
        return ".".join(self.parts)

    def __repr__(self) -> str:
        return f"ObjectIdentifier({self.as_summary_string()})"


@node
class FunctionIdentifier(Node):
    """The name of a function: one part for a system function, a catalog, a database and a name for any other.

    Source: https://cwiki.apache.org/confluence/display/FLINK/FLIP-57%3A+Rework+FunctionCatalog
    """

    parts: tuple[str, ...]

    @staticmethod
    def of(identifier: ObjectIdentifier) -> FunctionIdentifier:
        """Return the name of a function in a catalog."""
        return FunctionIdentifier(identifier.parts)

    @property
    def name(self) -> str:
        """The last part."""
        return self.parts[-1]

    @property
    def is_system(self) -> bool:
        """Whether no namespace holds the function."""
        return len(self.parts) == 1

    def as_serializable_string(self) -> str:
        """Return the name as SQL, every part quoted."""
        return ".".join(quote(part) for part in self.parts)

    def as_summary_string(self) -> str:
        """Return the name for people, no part quoted."""
        return ".".join(self.parts)

    def __repr__(self) -> str:
        return f"FunctionIdentifier({self.as_summary_string()})"
