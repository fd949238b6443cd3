"""Advises on statements that neither this library nor Spark supports: the replacement, or the likely spelling.

Spark's own error lists all words that its parser expects, without marking the likely one.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from grammar.lexemes import Token
from ir.migration_page import Section, see

_MODULES = (
    "Modules are Flink's. The functions of Spark are always there, and others are made with CREATE FUNCTION."
    + see(Section.MODULES)
)
_MODELS = "Models are Flink's. A function in Python can call one: see CREATE FUNCTION … LANGUAGE PYTHON." + see(
    Section.MODULES
)
_JARS = "The jars of a Spark session are added with ADD JAR, listed with LIST JARS and stay for its life." + see(
    Section.CONFIGURATION
)
_PLANS = "Compiled plans are for streams. EXPLAIN shows the plan of a query, and a view stores the query." + see(
    Section.PLANS
)
_JOBS = "Jobs are those of Spark, whose web interface shows and stops them." + see(Section.CONFIGURATION)
_BARE = "A query or an INSERT runs as it is, without EXECUTE."
_OF_FLINK: tuple[tuple[tuple[str, ...], str], ...] = (
    *((words, _MODULES) for words in (("LOAD", "MODULE"), ("UNLOAD", "MODULE"), ("USE", "MODULES"))),
    *((words, _MODULES) for words in (("SHOW", "MODULES"), ("SHOW", "FULL", "MODULES"))),
    *(((word, "MODEL"), _MODELS) for word in ("CREATE", "ALTER", "DROP", "DESCRIBE", "DESC")),
    *((words, _MODELS) for words in (("SHOW", "MODELS"), ("SHOW", "CREATE", "MODEL"))),
    *((words, _JARS) for words in (("SHOW", "JARS"), ("REMOVE", "JAR"))),
    *((words, _PLANS) for words in (("COMPILE", "PLAN"), ("COMPILE", "AND"), ("EXECUTE", "PLAN"))),
    *((words, _JOBS) for words in (("SHOW", "JOBS"), ("STOP", "JOB"), ("DESCRIBE", "JOB"), ("DESC", "JOB"))),
    *((("EXECUTE", word), _BARE) for word in ("SELECT", "INSERT", "WITH", "VALUES")),
)
_OBJECTS = ("TABLE", "VIEW", "DATABASE", "SCHEMA", "NAMESPACE", "FUNCTION", "CATALOG", "TEMPORARY", "VARIABLE")
_LISTED = ("CATALOGS", "DATABASES", "SCHEMAS", "NAMESPACES", "TABLES", "VIEWS", "FUNCTIONS", "COLUMNS", "PARTITIONS")
# The second words of statements, by the first word.
_SECOND: dict[str, tuple[str, ...]] = {
    "CREATE": (*_OBJECTS, "REPLACE", "EXTERNAL", "GLOBAL"),
    "ALTER": _OBJECTS,
    "DROP": _OBJECTS,
    "SHOW": (*_LISTED, "TBLPROPERTIES", "CREATE", "CURRENT", "USER", "SYSTEM", "ALL"),
    "REFRESH": ("TABLE", "FUNCTION"),
    "TRUNCATE": ("TABLE",),
    "ANALYZE": ("TABLE", "TABLES"),
    "CACHE": ("TABLE", "LAZY"),
    "UNCACHE": ("TABLE",),
    "MERGE": ("INTO", "WITH"),
    "DELETE": ("FROM",),
}


def advice(tokens: Sequence[Token]) -> str:
    """Return the advice for a statement that Spark does not support, with a leading blank, or "".

    >>> from grammar.statement_words import words
    >>> advice(words("SHOW TABLS"))
    ' Did you mean SHOW TABLES?'
    >>> advice(words("EXECUTE SELECT 1"))
    ' A query or an INSERT runs as it is, without EXECUTE.'
    """
    given = [token.text.upper() for token in tokens[:3]]
    for written, reason in _OF_FLINK:
        if given[: len(written)] == list(written):
            return f" {reason}"
    if len(given) < 2:
        return ""
    known = _SECOND.get(given[0], ())
    near = [] if given[1] in known else difflib.get_close_matches(given[1], known, n=1, cutoff=0.7)
    return f" Did you mean {given[0]} {near[0]}?" if near else ""
