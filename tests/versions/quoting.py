"""Which words each version of Spark understands as names without back-quotes, wherever this library writes a name.

``python -m tests.versions.quoting`` asks all versions, and writes ``serializer/keywords.py``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tests.versions.sparks import NEWEST, SPARKS, Spark, python_of

FILE: Final = Path(__file__).parents[2] / "serializer" / "keywords.py"
_NAME = re.compile(r"\bw\b")
RESERVED: Final = "spark.sql.ansi.enforceReservedKeywords"
"""The setting with which Spark's reserved words are none of a person's names."""

PLACES: Final = (
    "SELECT w",
    "SELECT w, w",
    "SELECT DISTINCT w, w",
    "SELECT r.w, w.a, w.w.w",
    "SELECT w.*",
    "SELECT r.* EXCEPT (w, w)",
    "SELECT a AS w, w AS b, w AS w",
    "SELECT a FROM w",
    "SELECT a FROM w.w, w.w.w",
    "SELECT a FROM w AS w",
    "SELECT a FROM w AS w(w, w)",
    "SELECT a FROM w WHERE w",
    "SELECT a FROM t AS w WHERE w.a",
    "SELECT a FROM w GROUP BY w",
    "SELECT a FROM w ORDER BY w",
    "SELECT a FROM w LIMIT 1",
    "SELECT a FROM w UNION ALL SELECT w FROM w",
    "SELECT a FROM (SELECT b) AS w",
    "SELECT a FROM (SELECT b) AS w WHERE c",
    "SELECT a FROM VALUES (1, 2) AS w(w, w)",
    "SELECT a FROM w INNER JOIN w ON w = w",
    "SELECT a FROM w AS w INNER JOIN w AS w ON w.w = w.w",
    "SELECT a FROM w LEFT OUTER JOIN w USING (w, w)",
    "SELECT a FROM w FULL OUTER JOIN LATERAL (SELECT w) AS w",
    "SELECT a FROM w CROSS JOIN w, w LEFT SEMI JOIN w ON w",
    "SELECT a FROM w LEFT ANTI JOIN w ON w",
    "SELECT a FROM w TABLESAMPLE (5 PERCENT) REPEATABLE (1) AS w",
    "SELECT a FROM w LATERAL VIEW EXPLODE(w) w AS w, w",
    "SELECT a FROM w LATERAL VIEW OUTER EXPLODE(w) w AS w",
    "SELECT a FROM w PIVOT (SUM(w) AS w, MAX(w) AS w FOR w IN (1 AS w, 2 AS w))",
    "SELECT a FROM w PIVOT (SUM(w) FOR (w, w) IN ((1, 2) AS w)) AS w",
    "SELECT a FROM w UNPIVOT (w FOR w IN (w, w AS w))",
    "SELECT a FROM w UNPIVOT INCLUDE NULLS ((w, w) FOR w IN ((w, w) AS w))",
    "SELECT a FROM w TIMESTAMP AS OF '2020-01-01' AS w",
    "SELECT a FROM f(w => 1, w => w) AS w(w)",
    "SELECT a FROM f(TABLE(w) PARTITION BY w ORDER BY w)",
    "WITH w AS (SELECT w), w(w) AS (SELECT w) SELECT w FROM w",
    "WITH RECURSIVE w(w) AS (SELECT w) SELECT w FROM w",
    "SELECT a GROUP BY w, w",
    "SELECT a GROUP BY ROLLUP (w, w), CUBE (w)",
    "SELECT a GROUP BY GROUPING SETS ((w, w), w, ())",
    "SELECT a GROUP BY w HAVING w ORDER BY w, w DESC, w ASC NULLS LAST, w NULLS FIRST",
    "SELECT a WHERE w",
    "SELECT a WHERE w AND w OR NOT w",
    "SELECT a WHERE w = w AND w <> w AND w <=> w AND w < w AND w >= w",
    "SELECT a WHERE w IS NULL AND w IS NOT NULL AND w IS TRUE AND w IS DISTINCT FROM w",
    "SELECT a WHERE w IN (w, w) AND w NOT IN (SELECT w FROM w)",
    "SELECT a WHERE EXISTS (SELECT w FROM w WHERE w)",
    "SELECT a WHERE w BETWEEN w AND w AND w LIKE w AND w NOT LIKE w AND w RLIKE w AND w ILIKE ANY ('a', 'b')",
    "SELECT w + w - w * w / w % w DIV w || w",
    "SELECT - w, + w, ~ w, w & w, w | w, w ^ w",
    "SELECT (w), (w, w), (w).w, w[0], w['a'], w[w], f(w)[w].w",
    "SELECT f(w), f(w, w), f(DISTINCT w), f(w => w), COUNT(DISTINCT w, w)",
    "SELECT CASE WHEN w THEN w ELSE w END, CASE w WHEN w THEN w END",
    "SELECT CAST(w AS INT), TRY_CAST(w AS STRUCT<w: INT, w: ARRAY<STRUCT<w: INT NOT NULL>>>)",
    "SELECT w::INT, w COLLATE UTF8_LCASE",
    "SELECT EXTRACT(YEAR FROM w), TRIM(BOTH w FROM w), POSITION(w IN w), SUBSTRING(w FROM w FOR w)",
    "SELECT DATEADD(DAY, w, w), TIMESTAMPDIFF(DAY, w, w), CEIL(w), FLOOR(w, w)",
    "SELECT OVERLAY(w PLACING w FROM w FOR w)",
    "SELECT f(w -> w + w.w), f((w, w) -> w), f(w -> f(w -> w))",
    "SELECT NAMED_STRUCT('a', w), STRUCT(w AS w, w), ARRAY(w, w), MAP(w, w)",
    "SELECT FIRST(w) IGNORE NULLS, ANY_VALUE(w), LAST(w), PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY w DESC)",
    "SELECT SUM(w) FILTER (WHERE w)",
    "SELECT SUM(w) OVER (PARTITION BY w, w ORDER BY w, w ROWS BETWEEN w PRECEDING AND 1 FOLLOWING)",
    "SELECT SUM(w) OVER (ORDER BY w DESC RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)",
    "SELECT LAG(w) IGNORE NULLS OVER (ORDER BY w)",
    "SELECT INTERVAL '1' DAY + w, w - INTERVAL '1' DAY",
    "SELECT a DISTRIBUTE BY w SORT BY w",
    "SELECT a CLUSTER BY w",
    "SELECT a QUALIFY w",
    "INSERT INTO w.w (w, w) SELECT w",
    "INSERT OVERWRITE w PARTITION (w = 1, w) SELECT w",
    "MERGE INTO w AS w USING w AS w ON w.w = w.w WHEN MATCHED AND w THEN UPDATE SET w = w "
    "WHEN NOT MATCHED THEN INSERT (w) VALUES (w)",
    "UPDATE w SET w = w WHERE w",
    "DELETE FROM w WHERE w",
    "CREATE VIEW w.w (w COMMENT 'c', w) AS SELECT w",
    "CREATE TABLE w.w (w INT, w STRUCT<w: INT>) USING PARQUET PARTITIONED BY (w)",
    "ALTER TABLE w ADD COLUMNS (w INT AFTER w)",
    "ALTER TABLE w RENAME COLUMN w TO w",
    "ALTER TABLE w DROP COLUMN w",
    "ALTER TABLE w ALTER COLUMN w TYPE INT",
    "DROP VIEW w.w",
    "SELECT a FROM (SELECT b FROM w) TABLESAMPLE (1 ROWS) AS w",
)
"""Statements with each place in which a name is written; ``w`` is the name."""


def words_of(spark: Spark) -> list[str]:
    """Return the keywords of a Spark, in lower case."""
    found = spark.queries(["SELECT LOWER(keyword) FROM SQL_KEYWORDS()"])[0]
    return sorted(row[0] for row in found["rows"])


def ask(spark: Spark, words: Iterable[str]) -> dict[str, str]:
    """Return the words that a Spark does not read as a name in some place, each with the first such statement."""
    found: dict[str, str] = {}
    for value in ("false", "true"):
        spark.ask("set", values={RESERVED: value, "spark.sql.ansi.enabled": "true"})
        for word in words:
            if word in found:
                continue
            places = [(_with(place, word), _with(place, f"`{word}`")) for place in PLACES]
            answers = spark.ask("parsed_equally", pairs=places)
            failed = [pair[0] for pair, is_equal in zip(places, answers, strict=True) if not is_equal]
            if failed:
                found[word] = failed[0]
    spark.ask("set", values={RESERVED: "false"})
    return found


def _with(place: str, name: str) -> str:
    return _NAME.sub(name, place)


def write(keywords: Iterable[str], quoted: Iterable[str]) -> str:
    """Return the module that holds the words."""
    lines = [
        '"""The keywords of all supported versions of Spark; ``python -m tests.versions.quoting`` writes them."""',
        "",
        "from typing import Final",
        "",
    ]
    for name, words, meaning in (
        ("KEYWORDS", keywords, "The keywords, in lower case."),
        ("QUOTED_WORDS", quoted, "The keywords that some version does not understand as a name without quotes."),
    ):
        listed = [f'        "{word}",' for word in sorted(words)]
        lines += [f"{name}: Final = frozenset(", "    [", *listed, "    ]", ")", f'"""{meaning}"""']
    return "\n".join(lines) + "\n"


def main() -> int:
    """Ask every version, print the words that need quotes with the statement that shows it, and write the module."""
    versions = [version for version in (*SPARKS, NEWEST) if python_of(version) is not None]
    if len(versions) <= len(SPARKS):
        print(f"asks all of {', '.join((*SPARKS, NEWEST))}; make versions installs them", file=sys.stderr)
        return 2
    keywords: set[str] = set()
    for version in versions:
        with Spark(version) as spark:
            keywords.update(words_of(spark))
    found: dict[str, str] = {}
    for version in versions:
        with Spark(version) as spark:
            shown = ask(spark, sorted(keywords - found.keys()))
        found |= shown
        for word, statement in sorted(shown.items()):
            print(f"{word}: not in {statement!r} of Spark {version}")
    FILE.write_text(write(keywords, found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
