"""Quotes only the names that some version of Spark does not understand without quotes.

The words are measured: ``python -m tests.versions.quoting`` asks the parser of each version of Spark, with and without
``spark.sql.ansi.enforceReservedKeywords``, at every place where this library writes a name.

Spark's keywords: https://spark.apache.org/docs/latest/sql-ref-ansi-compliance.html#sql-keywords
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from ir import light_attrs as attrs
from ir.identifiers import quote
from serializer.keywords import KEYWORDS, QUOTED_WORDS
from serializer.notation import Feature

if TYPE_CHECKING:
    from ir.targets.target import Target
    from serializer.notation import Notation

_NAMES = 4096
# Spark understands these, too, but a person takes VALUES in FROM, or ROWS in OVER, for the clause that begins so.
_BEGINNINGS: Final = frozenset({"between", "over", "partition", "range", "rows", "values"})
_QUOTED: Final = QUOTED_WORDS | _BEGINNINGS
_is_plain = re.compile(r"[A-Za-z_][A-Za-z0-9_]*").fullmatch


def with_needed_quotes(notation: Notation, target: Target | None = None) -> Notation:
    """Return the notation that quotes the names that need it, as ``notation`` writes everything else.

    Args:
        notation: how all names are quoted.
        target: the engine that reads the text; None for the newest Spark. For other engines than Spark, whose words are
            not measured, all names remain quoted.

    Raises:
        TableException: the dialect of the notation quotes all names.
    """
    notation.require(Feature.FEW_QUOTES)
    if target is not None and target.engine != "spark":
        return notation
    return _evolve(notation)


@cache
def _evolve(notation: Notation) -> Notation:
    return attrs.evolve(notation, quote=quote_if_needed, quote_function=quote_function_if_needed)


@lru_cache(_NAMES)
def quote_if_needed(name: str) -> str:
    """Return a name as an identifier of Spark's SQL, quoted if a version of Spark reads it in another way.

    >>> [quote_if_needed(name) for name in ("date", "Order", "a b", "1e3", "größe")]
    ['date', '`Order`', '`a b`', '`1e3`', '`größe`']
    """
    return name if _is_plain(name) and name.lower() not in _QUOTED else quote(name)


@lru_cache(_NAMES)
def quote_function_if_needed(name: str) -> str:
    """Return the name of a user's function, which is also quoted if it is a keyword.

    Calls of some keywords have a syntax of their own.

    >>> quote_function_if_needed("net_price"), quote_function_if_needed("position")
    ('net_price', '`position`')
    """
    return name if _is_plain(name) and name.lower() not in KEYWORDS else quote(name)
