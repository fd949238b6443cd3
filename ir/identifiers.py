"""Names of catalog objects: writing, parsing and comparison."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from ir.errors import ValidationException
from ir.late_patterns import late_pattern
from ir.light_typing import Generic, TypeVar
from ir.nodes import Node, node

# A query repeats names many times; the caches are bounded.
_NAMES = 16_384
_PART = late_pattern(r"`((?:[^`]|``)*)`|([^`.\s][^`.]*)")
# Names that need no quotes; Spark parses a name that begins with a digit, Flink does not.
_PLAIN = late_pattern(r"[\w$]+")
_T = TypeVar("_T")

SUBSTITUTED = "${"
"""What Spark sessions substitute in texts, also in back-quoted names, most often by an empty string."""


@lru_cache(_NAMES)
def quote(name: str) -> str:
    """Return the name as a quoted SQL identifier of either dialect, with every back-quote doubled.

    >>> quote("a`b")
    '`a``b`'
    """
    return "`" + name.replace("`", "``") + "`"


@lru_cache(_NAMES)
def fold(name: str) -> str:
    """Return the form in which a name is compared: names are case-insensitive, as in Spark.

    This applies to catalogs, databases, tables, views, functions, columns and variables. Spark uses Java's
    ``toLowerCase(Locale.ROOT)``.

    >>> fold("SALES") == fold("Sales"), fold("Straße") == fold("STRASSE")
    (True, False)
    """
    return name.lower()


def fold_path(parts: Sequence[str | None]) -> tuple[str, ...]:
    """Return the form in which a path of several names is compared, with an empty string for a missing part.

    >>> fold_path(("Hive", "SALES", "orders"))
    ('hive', 'sales', 'orders')
    """
    return tuple([fold(part or "") for part in parts])


class NameMap(Generic[_T]):
    """A map from case-insensitive names to values that keeps the first spelling of each name.

    >>> names = NameMap[int]()
    >>> names["Sales"] = 1
    >>> names["SALES"] = 2
    >>> "sales" in names, names.get("sales"), names.spelling("sales"), list(names)
    (True, 2, 'Sales', ['Sales'])
    """

    __slots__ = ("_entries",)

    def __init__(self) -> None:
        self._entries: dict[str, tuple[str, _T]] = {}

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and fold(name) in self._entries

    def __getitem__(self, name: str) -> _T:
        return self._entries[fold(name)][1]

    def __setitem__(self, name: str, value: _T) -> None:
        folded = fold(name)
        old = self._entries.get(folded)
        self._entries[folded] = name if old is None else old[0], value

    def __delitem__(self, name: str) -> None:
        del self._entries[fold(name)]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names in their stored spelling, in the order of insertion."""
        return iter([spelling for spelling, _ in self._entries.values()])

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, name: str) -> _T | None:
        """Return the value of a name, or None."""
        found = self._entries.get(fold(name))
        return None if found is None else found[1]

    def find(self, name: str) -> tuple[str, _T] | None:
        """Return the stored spelling of a name with its value, or None."""
        return self._entries.get(fold(name))

    def pop(self, name: str) -> _T | None:
        """Remove a name, and return its value, or None if there is no such name."""
        found = self._entries.pop(fold(name), None)
        return None if found is None else found[1]

    def spelling(self, name: str) -> str | None:
        """Return the stored spelling of a name, or None."""
        found = self._entries.get(fold(name))
        return None if found is None else found[0]

    def values(self) -> list[_T]:
        """Return the values in the order in which their names were inserted."""
        return [value for _, value in self._entries.values()]

    def items(self) -> list[tuple[str, _T]]:
        """Return the stored spellings with their values, in the order of insertion."""
        return list(self._entries.values())


def equals_ignoring_case(left: str, right: str) -> bool:
    """Whether Spark considers two field names of a row equal: it compares them letter by letter.

    >>> equals_ignoring_case("ſ", "S"), equals_ignoring_case("ß", "SS")
    (True, False)
    """
    if left == right:
        return True
    return len(left) == len(right) and all(map(_are_same_letter, left, right))


def _are_same_letter(left: str, right: str) -> bool:
    # Java's Character.toUpperCase keeps a letter whose upper case has several letters.
    upper_left, upper_right = (c.upper() if len(c.upper()) == 1 else c for c in (left, right))
    return upper_left == upper_right or upper_left.lower() == upper_right.lower()


def parse_path(path: str) -> tuple[str, ...]:
    """Split the path of a catalog object into its one to three parts; a part may be quoted with back-quotes.

    As in Spark, a quoted blank is a name, but an empty quoted string is not.

    >>> parse_path("hive.`my db`.t")
    ('hive', 'my db', 't')

    Raises:
        ValidationException: the path is no text, is empty, has an empty part, an unclosed quote, a part that lacks
            required quotes, or more than three parts.
    """
    try:
        return _split_short(path)
    except TypeError:
        raise _make_no_text_error(path) from None


def parse_long_path(path: str) -> tuple[str, ...]:
    """Split a path into any number of parts: the namespaces of some catalogs contain others.

    >>> parse_long_path("ice.db.orders.snapshots")
    ('ice', 'db', 'orders', 'snapshots')

    Raises:
        ValidationException: the path is no text, is empty, has an empty part, an unclosed quote, or a part that lacks
            required quotes.
    """
    try:
        return _split(path)
    except TypeError:
        raise _make_no_text_error(path) from None


def _make_no_text_error(given: object) -> ValidationException:
    return ValidationException(f"A name is a text such as 'sales.orders', but was given {given!r:.100}.")


@lru_cache(_NAMES)
def _split_short(path: str) -> tuple[str, ...]:
    parts = _split(path)
    if len(parts) > 3:
        raise ValidationException(_describe_malformed(path, f"has {len(parts)} parts"))
    return parts


@lru_cache(_NAMES)
def _split(path: str) -> tuple[str, ...]:
    parts: list[str] = []
    position = 0
    while True:
        match = _PART.match(path, position)
        if match is None:
            raise ValidationException(_describe_malformed(path, "has an empty part or an open back-quote"))
        quoted, plain = match.groups()
        part = quoted.replace("``", "`") if quoted is not None else plain.rstrip()
        if quoted is None and not _PLAIN.fullmatch(part):
            odd = next(c for c in part if not _PLAIN.fullmatch(c))
            problem = f"has {odd!r} in a part that is not quoted; write {quote(part)}"
            raise ValidationException(_describe_malformed(path, problem))
        parts.append(part)
        position = match.end()
        if position == len(path):
            break
        if path[position] != ".":
            raise ValidationException(
                _describe_malformed(path, f"has an unexpected {path[position]!r} after part {len(parts)}")
            )
        position += 1
    if not all(parts):
        raise ValidationException(_describe_malformed(path, "has an empty part"))
    return tuple(parts)


def path_text(parts: Sequence[str]) -> str:
    """Return a path as a string, with quotes around each part that needs them in some dialect.

    >>> path_text(("hive", "my db", "2024")), parse_path("hive.`my db`.`2024`")
    ('hive.`my db`.`2024`', ('hive', 'my db', '2024'))
    """
    plain = (_PLAIN.fullmatch(part) and not part[0].isdecimal() for part in parts)
    return ".".join([part if is_plain else quote(part) for part, is_plain in zip(parts, plain, strict=True)])


def _describe_malformed(path: str, problem: str) -> str:
    return (
        f"The path {path!r} {problem}. Accepted is [catalog.][database.]name, where a part of more than letters, "
        "digits, _ and $ is quoted with back-quotes."
    )


@node
class ObjectIdentifier(Node):
    """The name of a catalog object; a temporary view has no catalog, and at most Spark's database of global views.

    ``inner`` are the parts between the database and the name, in a catalog whose namespaces contain others, or whose
    tables contain tables of metadata: ``catalog.database.orders.snapshots``.
    """

    name: str
    database: str | None = None
    catalog: str | None = None
    inner: tuple[str, ...] = ()

    @property
    def is_temporary(self) -> bool:
        """Whether the name is that of a temporary object, which belongs to no catalog."""
        return self.catalog is None

    @property
    def parts(self) -> tuple[str, ...]:
        """The existing parts of the name, the catalog first."""
        return tuple([part for part in (self.catalog, self.database, *self.inner, self.name) if part is not None])

    def as_serializable_string(self) -> str:
        """Return the name as SQL, with every part quoted."""
        return ".".join(quote(part) for part in self.parts)

    def as_summary_string(self) -> str:
        """Return the name for display, without quotes."""
        return ".".join(self.parts)

    def __repr__(self) -> str:
        return f"ObjectIdentifier({self.as_summary_string()})"


@node
class FunctionIdentifier(Node):
    """The name of a function: one part for a system function, else a catalog, a database and a name.

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
        """Whether the function belongs to no namespace."""
        return len(self.parts) == 1

    def as_serializable_string(self) -> str:
        """Return the name as SQL, with every part quoted."""
        return ".".join(quote(part) for part in self.parts)

    def as_summary_string(self) -> str:
        """Return the name for display, without quotes."""
        return ".".join(self.parts)

    def __repr__(self) -> str:
        return f"FunctionIdentifier({self.as_summary_string()})"
