"""Parse function names in the output of SHOW FUNCTIONS."""

from __future__ import annotations

from ir.errors import ValidationException
from ir.identifiers import fold, parse_path


def stored_name(listed: str, catalog: str, database: str) -> str | None:
    """Return the name of a function of a database from an entry of SHOW FUNCTIONS; None for a temporary function.

    Spark lists temporary functions among those of the database, as bare names without quotes, whatever they contain.

    >>> stored_name("spark_catalog.default.`my f`", "spark_catalog", "default")
    'my f'
    >>> stored_name("my f", "spark_catalog", "default") is stored_name("a.b", "spark_catalog", "default") is None
    True
    """
    try:
        path = parse_path(listed)
    except ValidationException:
        return None
    return path[-1] if [fold(part) for part in path[:-1]] == [fold(catalog), fold(database)] else None
