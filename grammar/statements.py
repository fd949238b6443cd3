"""Statements as they were written, and which of them an environment executes itself."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from grammar.parser import Token, parser
from grammar.syntax import Name, Path, Syntax, node
from ir.rendering import Dialect


class Statement(Syntax):
    """A statement that is no query; ``called`` says which, with its article."""

    __slots__ = ()
    called: ClassVar[str] = "a statement"


@node
class ViewColumn(Syntax):
    """A column of a view, perhaps with a comment."""

    position: int
    name: Name
    comment: str | None


@node
class CreateView(Statement):
    """CREATE VIEW; ``options`` are its comment, properties, schema mode and collation by what they are.

    ``body`` is the position after the word AS, where the text of the query begins.
    """

    position: int
    or_replace: bool
    temporary: bool
    if_not_exists: bool
    name: Path
    columns: list[ViewColumn] | None
    options: dict[str, Any]
    query: Any
    body: int
    called: ClassVar[str] = "a CREATE VIEW statement"


@node
class DeclaredColumn(Syntax):
    """A column with its type, of a table or of what a function gives."""

    position: int
    name: Name
    data_type: Any
    comment: str | None


@node
class CreateTable(Statement):
    """CREATE TABLE; ``options`` are its comment, format, options, partition keys, location and properties."""

    position: int
    if_not_exists: bool
    name: Path
    columns: list[DeclaredColumn]
    options: dict[str, Any]
    called: ClassVar[str] = "a CREATE TABLE statement"


@node
class FunctionParameter(Syntax):
    """A parameter of a function; ``default`` is the position after the word DEFAULT, and the expression."""

    position: int
    name: Name
    data_type: Any
    comment: str | None
    default: tuple[int, Any] | None


@node
class CreateFunction(Statement):
    """CREATE FUNCTION.

    ``options`` are what RETURNS says (``returns`` a type, ``returns table`` columns or an empty list), ``comment``,
    ``deterministic``, ``inline`` and ``language``, by what they are. ``aggregate`` says that it is one of groups.
    ``code`` is the text after AS, where the function is one of another language; else ``body`` is the query or
    expression after RETURN, and ``body_position`` where that begins.
    """

    position: int
    or_replace: bool
    temporary: bool
    system: bool
    aggregate: bool
    if_not_exists: bool
    name: Path
    parameters: list[FunctionParameter] | None
    options: dict[str, Any]
    code: str | None
    body: Any
    body_position: int
    called: ClassVar[str] = "a CREATE FUNCTION statement"


@node
class AlterFunction(Statement):
    """ALTER FUNCTION … AS: other code; ``code`` is None where the statement gives a body of SQL."""

    position: int
    temporary: bool
    system: bool
    if_exists: bool
    name: Path
    code: str | None
    options: dict[str, Any]
    called: ClassVar[str] = "an ALTER FUNCTION statement"


@node
class DropFunction(Statement):
    """DROP FUNCTION."""

    position: int
    temporary: bool
    system: bool
    if_exists: bool
    name: Path
    called: ClassVar[str] = "a DROP FUNCTION statement"


@node
class AlterView(Statement):
    """ALTER VIEW: another query, another name, properties that are set, or keys of properties that are removed."""

    position: int
    name: Path
    query: Any = None
    new_name: Path | None = None
    properties: dict[str, str] | None = None
    removed: list[str] | None = None
    if_exists: bool = False
    called: ClassVar[str] = "an ALTER VIEW statement"


@node
class Drop(Statement):
    """DROP VIEW or DROP TABLE."""

    position: int
    kind: str
    temporary: bool
    if_exists: bool
    name: Path
    called: ClassVar[str] = "a DROP statement"


@node
class CreateDatabase(Statement):
    """CREATE DATABASE; ``options`` are its comment, location and properties."""

    position: int
    if_not_exists: bool
    name: Path
    options: dict[str, Any]
    called: ClassVar[str] = "a CREATE DATABASE statement"


@node
class AlterDatabase(Statement):
    """ALTER DATABASE or COMMENT ON DATABASE: properties that are set, keys that are removed, or another comment."""

    position: int
    name: Path
    properties: dict[str, str] | None = None
    removed: list[str] | None = None
    comment: str | None = None
    called: ClassVar[str] = "an ALTER DATABASE statement"


@node
class AlterCatalog(Statement):
    """ALTER CATALOG: another comment; None where it is of options."""

    position: int
    name: Name
    comment: str | None
    called: ClassVar[str] = "an ALTER CATALOG statement"


@node
class DropDatabase(Statement):
    """DROP DATABASE."""

    position: int
    if_exists: bool
    name: Path
    cascade: bool
    called: ClassVar[str] = "a DROP DATABASE statement"


@node
class CreateCatalog(Statement):
    """CREATE CATALOG with its options."""

    position: int
    if_not_exists: bool
    name: Name
    options: dict[str, str]
    comment: str | None = None
    called: ClassVar[str] = "a CREATE CATALOG statement"


@node
class DropCatalog(Statement):
    """DROP CATALOG."""

    position: int
    if_exists: bool
    name: Name
    called: ClassVar[str] = "a DROP CATALOG statement"


@node
class Use(Statement):
    """USE; ``kind`` is CATALOG, DATABASE, or empty where it was not written."""

    position: int
    kind: str
    name: Path
    called: ClassVar[str] = "a USE statement"


@node
class Pattern(Syntax):
    """The pattern of a SHOW statement, and whether what fits it is left out."""

    position: int
    text: str
    negated: bool


@node
class Show(Statement):
    """SHOW; ``kind`` is what it shows."""

    position: int
    kind: str
    name: Path | None = None
    pattern: Pattern | None = None
    scope: str = ""
    namespace: Path | None = None
    called: ClassVar[str] = "a SHOW statement"


@node
class Describe(Statement):
    """DESCRIBE of a table or view, a query, a function, a database or a catalog."""

    position: int
    kind: str
    target: Any
    extended: bool = False
    called: ClassVar[str] = "a DESCRIBE statement"


@node
class PartitionValue(Syntax):
    """A partition key, and its value where that is the same for all rows."""

    position: int
    name: Name
    value: Any


@node
class InsertInto(Statement):
    """INSERT; ``columns`` are names, True where those of the query are meant, or None."""

    position: int
    overwrite: bool
    target: Path
    partition: list[PartitionValue] | None
    columns: list[Name] | bool | None
    query: Any
    called: ClassVar[str] = "an INSERT statement"


@node
class InsertSet(Statement):
    """The inserts of a statement set."""

    position: int
    inserts: list[InsertInto]
    called: ClassVar[str] = "a statement set"


@node
class Explain(Statement):
    """EXPLAIN with its details."""

    position: int
    details: list[str]
    statement: Any
    called: ClassVar[str] = "an EXPLAIN statement"


# --- whose a statement is --------------------------------------------------------------------------------------------

_QUERIES = ("SELECT", "WITH", "FROM", "VALUES", "TABLE", "(", "MAP", "REDUCE")
_CHANGES = ("INSERT", "MERGE", "UPDATE", "DELETE")
_DATABASES = ("DATABASE", "SCHEMA", "NAMESPACE")
_LISTED = ("CATALOGS", "DATABASES", "SCHEMAS", "NAMESPACES", "TABLES", "VIEWS", "FUNCTIONS", "COLUMNS")
_DETAILS = (
    *("ESTIMATED_COST", "CHANGELOG_MODE", "JSON_EXECUTION_PLAN", "PLAN_ADVICE"),
    *("EXTENDED", "FORMATTED", "CODEGEN", "COST", "LOGICAL", "PLAN", "FOR", ","),
)


def words(text: str) -> list[Token]:
    """Return the words and signs of a statement, whatever it is, without its comments."""
    return list(parser(Dialect.SPARK).words(text))


def separator(tokens: list[Token]) -> Token | None:
    """Return the first semicolon of several statements that another one follows, or None.

    Scripts and statement sets have statements between BEGIN and END.
    """
    if any(token.text.upper() == "BEGIN" for token in tokens[:5]):
        return None
    for token, following in itertools.pairwise(tokens):
        if token.text == ";" and following.text != ";":
            return token
    return None


def is_own(tokens: list[Token]) -> bool:
    """Whether an environment executes a statement itself; any other is for Spark alone."""
    return _is_own([token.text.upper() for token in tokens if token.text != ";"])


def is_named_by_text(tokens: list[Token]) -> bool:
    """Whether a statement, and no query, has a name that IDENTIFIER computes."""
    return _is_named_by_text([token.text.upper() for token in tokens])


def _is_named_by_text(given: list[str]) -> bool:
    return given[:1] != [] and given[0] not in _QUERIES and ("IDENTIFIER", "(") in itertools.pairwise(given)


def _is_own(given: list[str]) -> bool:
    first = given[0] if given else ""
    if ("BIN", "BY", "(") in zip(given, given[1:], given[2:], strict=False):
        return False
    if not _LEFT_TO_SPARK.isdisjoint(itertools.pairwise(given)):
        return False
    if _is_named_by_text(given):
        return False
    own = _OWN.get(first)
    if first in _QUERIES:
        # WITH and FROM may begin statements that change tables, too.
        return first in ("SELECT", "VALUES", "TABLE") or not any(word in _CHANGES for word in _at_top(given))
    if own is None:
        # What only has to be spelt right to be one of these is said to be misspelt before a session starts.
        import difflib

        near = difflib.get_close_matches(first, [*_OWN, *_QUERIES], n=1, cutoff=0.8)
        return bool(near) and _is_own([*near, *given[1:]])
    return own(given[1:])


# What begins relations that are not read here, and nothing else.
_LEFT_TO_SPARK = {("JSON_TABLE", "("), ("MATCH_CONDITION", "(")}


def _at_top(given: list[str]) -> list[str]:
    """Return the words outside of parentheses."""
    depth, found = 0, []
    for word in given:
        depth += (word == "(") - (word == ")")
        if depth == 0:
            found.append(word)
    return found


def _skipped(given: list[str], *optional: str) -> list[str]:
    start = 0
    while start < len(given) and given[start] in optional:
        start += 1
    return given[start:]


def _after_path(given: list[str]) -> list[str]:
    """Return what follows a name with dots."""
    start = 1
    while start + 1 < len(given) and given[start] == ".":
        start += 2
    return given[start:]


def _create(given: list[str]) -> bool:
    rest = _skipped(given, "OR", "REPLACE", "TEMPORARY", "TEMP", "SYSTEM", "AGGREGATE")
    if rest[:1] == ["FUNCTION"]:
        # Spark has no functions of the system.
        return "SYSTEM" in given[: -len(rest)] or _is_function(rest)
    if rest[:1] == ["VIEW"]:
        following = _after_path(_skipped(rest[1:], "IF", "NOT", "EXISTS"))
        # A view over a data source, or of metrics.
        around = _at_top(following)
        over_source = around[:1] == ["USING"] or around[:2] == [")", "USING"]
        return not over_source and "METRICS" not in around[:12]
    return rest[:1] == ["CATALOG"] or (rest[:1] != [] and rest[0] in _DATABASES)


_LANGUAGES = ("PYTHON", "JAVA", "SCALA")


def _is_function(rest: list[str]) -> bool:
    """Whether a function is one of Python or of SQL, or of a language that Spark does not know; others are Spark's."""
    return "RETURN" in rest or any(("LANGUAGE", name) in itertools.pairwise(rest) for name in _LANGUAGES)


def _alter(rest: list[str]) -> bool:
    if _skipped(rest, "TEMPORARY", "TEMP", "SYSTEM")[:1] == ["FUNCTION"]:
        return True
    if rest[:1] == ["CATALOG"]:
        return True
    if rest[:1] != [] and rest[0] in _DATABASES:
        change = _after_path(rest[1:])
        return change[:1] == ["UNSET"] or (change[:1] == ["SET"] and change[1:2] != ["LOCATION"])
    return rest[:1] == ["VIEW"] and _after_path(rest[1:])[:1] in (["AS"], ["RENAME"], ["SET"], ["UNSET"])


def _drop(rest: list[str]) -> bool:
    rest = _skipped(rest, "TEMPORARY", "TEMP", "SYSTEM")
    return rest[:1] != [] and rest[0] in ("VIEW", "TABLE", "CATALOG", "FUNCTION", *_DATABASES)


def _show(rest: list[str]) -> bool:
    rest = _skipped(rest, "USER", "SYSTEM", "ALL", "TEMPORARY", "TEMP")
    return rest[:1] != [] and (rest[0] in (*_LISTED, "CURRENT") or rest[:2] == ["CREATE", "VIEW"])


def _describe(rest: list[str]) -> bool:
    if rest[:1] == ["QUERY"] or (rest[:1] != [] and rest[0] in _QUERIES and rest[0] != "TABLE"):
        return True
    if rest[:1] != [] and rest[0] in ("FUNCTION", "CATALOG", *_DATABASES):
        return True
    # One partition or column, and answers as JSON, are Spark's.
    return _after_path(_skipped(rest, "TABLE", "EXTENDED", "FORMATTED")) == []


def _insert(rest: list[str]) -> bool:
    return rest[:1] in (["INTO"], ["OVERWRITE"]) and rest[1:2] not in (["DIRECTORY"], ["LOCAL"]) and not _special(rest)


def _special(rest: list[str]) -> bool:
    """Whether an INSERT says what it replaces, or how, in ways that only Spark has."""
    following = _after_path(_skipped(rest[1:], "TABLE"))
    return following[:1] in (["REPLACE"], ["WITH"], ["IF"]) and following[1:2] in (["WHERE"], ["USING"], ["ON"], ["("])


def _explain(rest: list[str]) -> bool:
    rest = _skipped(rest, *_DETAILS)
    if rest[:1] == ["INSERT"]:
        return _insert(rest[1:])
    return rest[:1] != [] and (rest[0] in _QUERIES or rest[:2] == ["STATEMENT", "SET"] or rest[0] == "EXECUTE")


_OWN: Mapping[str, Callable[[list[str]], bool]] = {
    "CREATE": _create,
    "ALTER": _alter,
    "COMMENT": lambda rest: rest[:1] == ["ON"] and rest[1:2] != [] and rest[1] in _DATABASES,
    "DROP": _drop,
    "SHOW": _show,
    "DESCRIBE": _describe,
    "DESC": _describe,
    "USE": lambda rest: True,
    "INSERT": _insert,
    "EXPLAIN": _explain,
    "EXECUTE": lambda rest: rest[:2] == ["STATEMENT", "SET"],
    "BEGIN": lambda rest: rest[:2] == ["STATEMENT", "SET"],
}
