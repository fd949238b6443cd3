"""Splits scripts into statements, and decides which statements the environment executes and which Spark does."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping

from grammar.lexemes import Token
from grammar.parsers import parser
from ir.rendering import Dialect

_QUERIES = ("SELECT", "WITH", "FROM", "VALUES", "TABLE", "(", "MAP", "REDUCE")
_CHANGES = ("INSERT", "MERGE", "UPDATE", "DELETE")
_DATABASES = ("DATABASE", "SCHEMA", "NAMESPACE")
_LISTED = ("CATALOGS", "DATABASES", "SCHEMAS", "NAMESPACES", "TABLES", "VIEWS", "FUNCTIONS", "COLUMNS")
_DETAILS = (
    *("ESTIMATED_COST", "CHANGELOG_MODE", "JSON_EXECUTION_PLAN", "PLAN_ADVICE"),
    *("EXTENDED", "FORMATTED", "CODEGEN", "COST", "LOGICAL", "PLAN", "FOR", ","),
)


def words(text: str) -> list[Token]:
    """Return the words and signs of any statement, without its comments."""
    return list(parser(Dialect.SPARK).words(text))


def separator(tokens: list[Token]) -> Token | None:
    """Return the first semicolon that another statement follows, or None.

    Scripts and statement sets contain statements between BEGIN and END.
    """
    if any(token.text.upper() == "BEGIN" for token in tokens[:5]):
        return None
    for token, following in itertools.pairwise(tokens):
        if token.text == ";" and following.text != ";":
            return token
    return None


def statements_of(script: str) -> list[str]:
    """Split a script into statements, each padded with as many lines and blanks as precede it in the script.

    So an error has its position in the script. The statements between BEGIN and END are part of one statement.

    >>> statements_of("SELECT 1;\\nBEGIN SELECT 2; SELECT 3; END; SELECT 4;")
    ['SELECT 1', '\\nBEGIN SELECT 2; SELECT 3; END', '\\n                               SELECT 4']

    Raises:
        SqlParserException: a string or a quoted name is unclosed.
    """
    found: list[str] = []
    pending: list[Token] = []

    def end(position: int) -> None:
        if pending:
            start = pending[0].position
            line = script.rfind("\n", 0, start) + 1
            found.append("\n" * script.count("\n", 0, line) + " " * (start - line) + script[start:position].rstrip())
            pending.clear()

    for token in words(script):
        if token.text == ";" and _is_complete(pending):
            end(token.position)
        else:
            pending.append(token)
    end(len(script))
    return found


_OPENING = frozenset(("BEGIN", "IF", "CASE", "WHILE", "FOR", "LOOP", "REPEAT"))
_BEFORE_A_STATEMENT = frozenset((";", "BEGIN", "THEN", "ELSE", "DO", "LOOP", "REPEAT", ":"))


def _is_complete(tokens: list[Token]) -> bool:
    """Whether a statement ends here, outside its BEGIN and END."""
    given = [token.text.upper() for token in tokens]
    if "BEGIN" not in given[:5]:
        return True
    depth, before = 0, ";"
    for word, following in itertools.pairwise((*given, "")):
        if before == "END" and word in _OPENING:
            # END IF, END WHILE and others.
            pass
        elif word == "END":
            depth -= 1
        elif word in ("BEGIN", "CASE") or (word in _OPENING and before in _BEFORE_A_STATEMENT and following != ":"):
            depth += 1
        before = word
    return depth <= 0


def is_own(tokens: list[Token]) -> bool:
    """Whether the environment executes a statement itself, rather than Spark."""
    return _is_own([token.text.upper() for token in tokens if token.text != ";"])


def is_query(tokens: list[Token]) -> bool:
    """Whether a statement is a query, which changes nothing.

    >>> is_query(words("WITH a AS (SELECT 1) SELECT * FROM a")), is_query(words("WITH a AS (SELECT 1) INSERT INTO t"))
    (True, False)
    """
    given = [token.text.upper() for token in tokens]
    # WITH and FROM may also begin statements that change tables.
    return given[:1] != [] and given[0] in _QUERIES and not any(word in _CHANGES for word in _strip_parentheses(given))


def is_command(tokens: list[Token]) -> bool:
    """Whether a statement is a command, which has a tree whichever catalog its table is in (``ir.commands``)."""
    given = [token.text.upper() for token in tokens if token.text != ";"]
    begins = _COMMANDS.get(given[0]) if given else None
    return begins is not None and begins(given[1:])


def is_named_by_text(tokens: list[Token]) -> bool:
    """Whether a statement other than a query has a name that IDENTIFIER computes."""
    return _is_named_by_text([token.text.upper() for token in tokens])


def _is_named_by_text(given: list[str]) -> bool:
    return given[:1] != [] and given[0] not in _QUERIES and ("IDENTIFIER", "(") in itertools.pairwise(given)


def _is_own(given: list[str]) -> bool:
    first = given[0] if given else ""
    if ("BIN", "BY", "(") in zip(given, given[1:], given[2:], strict=False):
        return False
    if _is_named_by_text(given):
        return False
    own = _OWN.get(first)
    if first in _QUERIES:
        # WITH and FROM may also begin statements that change tables.
        return first in ("SELECT", "VALUES", "TABLE") or not any(word in _CHANGES for word in _strip_parentheses(given))
    if own is None:
        # A misspelling of an own statement counts as own, so that it is reported before a session starts.
        import difflib

        near = difflib.get_close_matches(first, [*_OWN, *_QUERIES, *_COMMANDS], n=1, cutoff=0.8)
        if not near or first in _COMMANDS:
            return False
        meant = [*near, *given[1:]]
        return _is_own(meant) or near[0] in _COMMANDS or _creates_table(meant)
    return own(given[1:])


def _creates_table(given: list[str]) -> bool:
    return given[:1] == ["CREATE"] and "TABLE" in given[1:4]


def _strip_parentheses(given: list[str]) -> list[str]:
    """Return the words outside parentheses."""
    depth, found = 0, []
    for word in given:
        depth += (word == "(") - (word == ")")
        if depth == 0:
            found.append(word)
    return found


def _skip_with(given: list[str], *optional: str) -> list[str]:
    start = 0
    while start < len(given) and given[start] in optional:
        start += 1
    return given[start:]


def _skip_path(given: list[str]) -> list[str]:
    """Return the words after a dotted name."""
    start = 1
    while start + 1 < len(given) and given[start] == ".":
        start += 2
    return given[start:]


def _is_create(given: list[str]) -> bool:
    rest = _skip_with(given, "OR", "REPLACE", "TEMPORARY", "TEMP", "SYSTEM", "AGGREGATE")
    if rest[:1] == ["FUNCTION"]:
        # Spark has no system functions.
        return "SYSTEM" in given[: -len(rest)] or _is_function(rest)
    if rest[:1] == ["VIEW"]:
        following = _skip_path(_skip_with(rest[1:], "IF", "NOT", "EXISTS"))
        # Views over data sources, and metric views, are left to Spark.
        around = _strip_parentheses(following)
        over_source = around[:1] == ["USING"] or around[:2] == [")", "USING"]
        return not over_source and "METRICS" not in around[:12]
    return rest[:1] == ["CATALOG"] or (rest[:1] != [] and rest[0] in _DATABASES)


_LANGUAGES = ("PYTHON", "JAVA", "SCALA")


def _is_function(rest: list[str]) -> bool:
    """Whether the function has an SQL body, or is in Python or a language that Spark rejects; others are Spark's."""
    return "RETURN" in rest or any(("LANGUAGE", name) in itertools.pairwise(rest) for name in _LANGUAGES)


def _is_alter(rest: list[str]) -> bool:
    if _skip_with(rest, "TEMPORARY", "TEMP", "SYSTEM")[:1] == ["FUNCTION"]:
        return True
    if rest[:1] == ["CATALOG"]:
        return True
    if rest[:1] != [] and rest[0] in _DATABASES:
        change = _skip_path(rest[1:])
        return change[:1] == ["UNSET"] or (change[:1] == ["SET"] and change[1:2] != ["LOCATION"])
    return rest[:1] == ["VIEW"] and _skip_path(rest[1:])[:1] in (["AS"], ["RENAME"], ["SET"], ["UNSET"])


def _is_drop(rest: list[str]) -> bool:
    rest = _skip_with(rest, "TEMPORARY", "TEMP", "SYSTEM")
    return rest[:1] != [] and rest[0] in ("VIEW", "TABLE", "CATALOG", "FUNCTION", *_DATABASES)


def _is_show(rest: list[str]) -> bool:
    rest = _skip_with(rest, "USER", "SYSTEM", "ALL", "TEMPORARY", "TEMP")
    return rest[:1] != [] and (rest[0] in (*_LISTED, "CURRENT") or _is_show_create(rest))


def _is_show_create(rest: list[str]) -> bool:
    """Whether SHOW CREATE is of a view or table; AS SERDE asks Spark for the statement in Hive's form."""
    return rest[:1] == ["CREATE"] and rest[1:2] in (["VIEW"], ["TABLE"]) and "SERDE" not in rest


def _is_describe(rest: list[str]) -> bool:
    if rest[:1] == ["QUERY"] or (rest[:1] != [] and rest[0] in _QUERIES and rest[0] != "TABLE"):
        return True
    if rest[:1] != [] and rest[0] in ("FUNCTION", "CATALOG", *_DATABASES):
        return True
    # Spark describes single partitions and columns, and answers AS JSON.
    return _skip_path(_skip_with(rest, "TABLE", "EXTENDED", "FORMATTED")) == []


def _is_insert(rest: list[str]) -> bool:
    return (
        rest[:1] in (["INTO"], ["OVERWRITE"])
        and rest[1:2] not in (["DIRECTORY"], ["LOCAL"])
        and not _has_clause_of_spark(rest)
    )


def _is_inserting_command(rest: list[str]) -> bool:
    """Whether an INSERT is of a form that only Spark has and that has a tree, or of no form of Spark's."""
    if rest[:1] not in (["INTO"], ["OVERWRITE"]):
        return True
    if rest[:3] == ["WITH", "SCHEMA", "EVOLUTION"]:
        return True
    if rest[:2] == ["OVERWRITE", "DIRECTORY"] or rest[:3] == ["OVERWRITE", "LOCAL", "DIRECTORY"]:
        return True
    return rest[:1] in (["INTO"], ["OVERWRITE"]) and _has_clause_of_spark(rest)


def _has_clause_of_spark(rest: list[str]) -> bool:
    """Whether an INSERT has options, or replaces rows by a comparison with the query, as only Spark's can."""
    following = _skip_path(_skip_with(rest[1:], "TABLE"))
    if following[:2] == ["WITH", "("]:
        return True
    around = _strip_parentheses(following)
    end = next((place for place, word in enumerate(around) if word in _QUERIES), len(around))
    return any(pair in (("REPLACE", "ON"), ("REPLACE", "USING")) for pair in itertools.pairwise(around[:end]))


def _is_insert_after_query(first: str) -> Callable[[list[str]], bool]:
    """Return a test of whether a statement has INSERT after WITH or FROM, and no other change of rows."""
    return lambda rest: {word for word in _strip_parentheses([first, *rest]) if word in _CHANGES} == {"INSERT"}


def _is_view_of_source(rest: list[str]) -> bool:
    """Whether a CREATE is of a temporary view of a data source."""
    rest = _skip_with(rest, "OR", "REPLACE", "GLOBAL")
    if rest[:2] not in (["TEMPORARY", "VIEW"], ["TEMP", "VIEW"]):
        return False
    around = _strip_parentheses(_skip_path(rest[2:]))
    return around[:1] == ["USING"] or around[:2] == [")", "USING"]


def _is_global_view(rest: list[str]) -> bool:
    """Whether a CREATE is of a global temporary view of a query."""
    rest = _skip_with(rest, "OR", "REPLACE")
    return rest[:3] in (["GLOBAL", "TEMPORARY", "VIEW"], ["GLOBAL", "TEMP", "VIEW"])


def _is_view_schema(rest: list[str]) -> bool:
    """Whether an ALTER is of how a view follows its tables."""
    return rest[:1] == ["VIEW"] and _skip_path(rest[1:])[:2] == ["WITH", "SCHEMA"]


def _is_explain(rest: list[str]) -> bool:
    rest = _skip_with(rest, *_DETAILS)
    if rest[:1] == ["INSERT"]:
        return _is_insert(rest[1:])
    return rest[:1] != [] and (rest[0] in _QUERIES or rest[:2] == ["STATEMENT", "SET"] or rest[0] == "EXECUTE")


_OWN: Mapping[str, Callable[[list[str]], bool]] = {
    "CREATE": _is_create,
    "ALTER": _is_alter,
    "COMMENT": lambda rest: rest[:1] == ["ON"] and rest[1:2] != [] and rest[1] in _DATABASES,
    "DROP": _is_drop,
    "SHOW": _is_show,
    "DESCRIBE": _is_describe,
    "DESC": _is_describe,
    "USE": lambda rest: True,
    "INSERT": _is_insert,
    "EXPLAIN": _is_explain,
    "EXECUTE": lambda rest: rest[:2] == ["STATEMENT", "SET"],
    "BEGIN": lambda rest: rest[:2] == ["STATEMENT", "SET"],
}


def _is_cache(rest: list[str]) -> bool:
    """Whether a statement caches a table or a query."""
    return rest[:1] == ["TABLE"] or rest[:2] == ["LAZY", "TABLE"]


_COMMANDS: Mapping[str, Callable[[list[str]], bool]] = {
    "TRUNCATE": lambda rest: rest[:1] == ["TABLE"] and _skip_path(rest[1:])[:1] in ([], ["PARTITION"]),
    "ALTER": lambda rest: rest[:1] == ["TABLE"] or _is_view_schema(rest),
    "COMMENT": lambda rest: rest[:2] in (["ON", "TABLE"], ["ON", "COLUMN"]),
    "ANALYZE": lambda rest: rest[:1] in (["TABLE"], ["TABLES"]),
    "MSCK": lambda rest: rest[:2] == ["REPAIR", "TABLE"],
    "REPAIR": lambda rest: rest[:1] == ["TABLE"],
    "CACHE": _is_cache,
    "UNCACHE": lambda rest: rest[:1] == ["TABLE"],
    "MERGE": lambda rest: True,
    "INSERT": _is_inserting_command,
    "UPDATE": lambda rest: True,
    "DELETE": lambda rest: True,
    "REFRESH": lambda rest: rest[:1] in (["TABLE"], ["FUNCTION"]) or (len(rest) == 1 and rest[0][0] in "'\""),
    "LOAD": lambda rest: rest[:1] == ["DATA"],
    "CREATE": lambda rest: _is_view_of_source(rest) or _is_global_view(rest),
    "DECLARE": lambda rest: True,
    "SET": lambda rest: rest[:1] in (["VAR"], ["VARIABLE"]) and rest[1:2] not in ([], ["="]),
    "DROP": lambda rest: rest[:1] == ["VARIABLE"] or rest[:2] in (["TEMPORARY", "VARIABLE"], ["TEMP", "VARIABLE"]),
    "CLEAR": lambda rest: rest == ["CACHE"],
    "WITH": _is_insert_after_query("WITH"),
    "FROM": _is_insert_after_query("FROM"),
}
