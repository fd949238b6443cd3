"""Runs queries that call functions in Python as a pipeline runs them: ``python -m tests.pipelines.frames PROJECT``.

The process has a session of Spark Connect alone, as that of ``spark-pipelines`` has. Queries come from the standard
input as a list in JSON, and their rows or errors go to the standard output.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from pyspark.pipelines.block_session_mutations import block_session_mutations
from pyspark.sql import SparkSession

from tableapi import PipelineProject
from tableapi.exceptions import TableException

QUERIES: Final = {
    "nested in a condition": "SELECT id FROM flights WHERE shout(shout(origin)) = 'JFK' OR length(shout(dest)) < 3",
    "both sides of a join": (
        "SELECT f.id, shout(a.name) AS n FROM flights f "
        "JOIN airlines a ON shout(f.carrier) = shout(a.carrier) AND f.id > 1"
    ),
    "a call over both sides of a join": (
        "SELECT f.id, a.name FROM flights f JOIN airlines a "
        "ON f.carrier = a.carrier AND f.id > 0 AND shout(concat(f.origin, a.name)) LIKE 'JFK%'"
    ),
    "a call over all pairs": "SELECT f.id FROM flights f JOIN airlines a ON shout(concat(f.carrier, a.name)) > 'B'",
    "an outer join": (
        "SELECT f.id, a.name FROM flights f LEFT JOIN airlines a ON f.carrier = a.carrier AND shout(a.name) LIKE 'U%'"
    ),
    "keys and arguments": "SELECT shout(origin) AS o, max(shout(dest)) AS d FROM flights GROUP BY shout(origin)",
    "above an aggregate": (
        "SELECT carrier, shout(concat(max(origin), carrier)) AS o FROM flights "
        "GROUP BY carrier HAVING shout(carrier) <> 'XX'"
    ),
    "an aggregate in Python": "SELECT carrier, spread(delay) + count(*) AS s FROM flights GROUP BY carrier",
    "an aggregate over all rows": "SELECT spread(delay) AS s FROM flights",
    "over a window": "SELECT id, spread(delay) OVER (PARTITION BY carrier) AS s FROM flights",
    "in a window": (
        "SELECT id, row_number() OVER (PARTITION BY shout(carrier) ORDER BY shout(dest), id) AS n FROM flights"
    ),
    "of a window": "SELECT id, shout(lag(origin) OVER (ORDER BY id)) AS o FROM flights",
    "a table function": "SELECT id, letter FROM flights, LATERAL letters(shout(carrier)) AS t(letter)",
    "an asynchronous function": "SELECT id, slowly(id) + 1 AS twice FROM flights WHERE slowly(id) > 4",
    "in a subquery": "SELECT id FROM flights WHERE carrier IN (SELECT shout(carrier) FROM airlines)",
    "in a WITH": "WITH w AS (SELECT shout(origin) AS o FROM flights) SELECT a.o FROM w a JOIN w b ON a.o = b.o",
    "sets": "SELECT shout(origin) AS o FROM flights UNION SELECT shout(dest) FROM flights EXCEPT SELECT shout('jfk')",
    "an order with a limit": "SELECT id FROM flights ORDER BY shout(dest) DESC, id LIMIT 3",
    "distinct": "SELECT DISTINCT shout(origin) AS o FROM flights",
    "braces": (
        "SELECT shout(concat('{', origin, '}}')) AS o, '{x}' AS y FROM flights WHERE shout(carrier) <> '{flights}'"
    ),
    "names with signs": "SELECT `a b` FROM (SELECT shout(origin) AS `a b`, id AS `c``d` FROM flights) WHERE `c``d` > 2",
    "a process table function": (
        "SELECT total FROM running_total(input => TABLE(SELECT * FROM flights WHERE shout(carrier) <> 'B6') "
        "PARTITION BY shout(carrier) ORDER BY id, factor => 3) WHERE shout(CAST(total AS STRING)) <> '3'"
    ),
    "values": "SELECT * FROM VALUES (shout('a')), ('b') AS t(x)",
}

_JOIN_FIRST: Final = "join the rows by an inner join in a temporary view, which can call it, and read that."
MISPLACED: Final = {
    (
        "SELECT f.id, shout(f.origin) AS o FROM flights f\n"
        "LEFT JOIN airlines a ON shout(f.carrier) = 'X' AND\n  «shout(concat(f.carrier, a.name)) = 'x'"
    ): f"A pipeline cannot call shout with columns of both sides of a join: {_JOIN_FIRST}",
    "SELECT id FROM flights f WHERE EXISTS (SELECT 1 FROM airlines a WHERE «shout(f.carrier) = a.carrier)": (
        f"A pipeline cannot call shout with columns of a row outside of its query: {_JOIN_FIRST}"
    ),
    "SELECT * FROM (SELECT carrier, origin, id FROM flights) PIVOT (max(«`SHOUT`(carrier)) FOR origin IN ('JFK'))": (
        "A pipeline cannot call shout in a pivot: compute the call as a column of a temporary view, and read that."
    ),
}
"""What no pipeline can call, with the message; the sign « is before the call."""


@contextmanager
def _pipeline(session: SparkSession) -> Iterator[None]:
    """Refuse what a pipeline refuses, and asking the server for a schema as query functions do."""

    def refuse(*given: Any, **options: Any) -> None:
        raise AssertionError("A query function may not ask for an analysis.")

    client: Any = session.client  # type: ignore[attr-defined]  # sessions of Connect have it
    analyze, client._analyze = client._analyze, refuse
    try:
        with block_session_mutations():
            yield
    finally:
        client._analyze = analyze


def main(folder: str) -> None:
    """Run the queries of the standard input."""
    session = SparkSession.builder.getOrCreate()
    session.conf.set("spark.sql.session.timeZone", "UTC")
    found: dict[str, Any] = {}
    with _pipeline(session):
        project = PipelineProject(session, folder)
    for name, text in json.load(sys.stdin).items():
        try:
            with _pipeline(session):
                frame = project.query(text)
            found[name] = sorted(map(repr, map(tuple, frame.collect())))
        except TableException as error:
            found[name] = str(error)
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
