"""Compare the values of functions on each version of Spark: ``python -m tests.versions.values [VERSION ...]``.

Every function is called with columns of a view that has some rows of every type, and with constants: those of its
documentation and of ``tests.functions``. Added are the queries that a required setting decides, and the probes of
syntax. Each version gets the text that is written for it, and must give the values of the newest Spark, or fail where
that fails. What a version answers otherwise has to be refused or written otherwise, since nothing else tells of it.
``KNOWN_VALUES`` of ``tests.versions.known`` lists what is left, with reasons.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
import warnings
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

import attrs
from rich.console import Console
from rich.table import Table

import tests.functions
from ir.errors import SuspiciousCastWarning, TableException
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionKind
from ir.rendering import Layout
from ir.targets.preparation import Preparation
from ir.targets.target import Target
from tests.oracle.oracle import VIEW
from tests.programs.tables import DATABASE, environment_without_spark
from tests.spark.test_settings import CHANGED_BY_SETTINGS
from tests.versions.calls import Asked, calls, columns
from tests.versions.facts import prepare
from tests.versions.known import LEFT_OUT, known_values
from tests.versions.sparks import NEWEST, SPARKS, Spark, python_of, target_of
from tests.versions.syntax import probes
from tests.versions.texts import Texts, Writer
from tests.versions.value_rows import ROW, ROWS, query_of_rows, value_of

CALLS: Final = 2
"""About how many calls of each function over the columns of the view."""

Answer = Mapping[str, Any]
_BEFORE: Final = "SELECT "
_BEHIND: Final = f" AS v FROM {VIEW}"
_AT_ONCE: Final = 8
_FAILS: Final = "fails"


def _evenly(items: Sequence[Asked], size: int) -> list[Asked]:
    """Return ``size`` items at about equal distances, or all if there are fewer."""
    step = max(1.0, len(items) / max(size, 1))
    return [items[int(number * step)] for number in range(min(size, len(items)))]


@attrs.frozen
class Outcome:
    """How the values of a version compare with those of the newest Spark.

    Attributes:
        version: the version.
        asked: how many queries the version was asked.
        refused: how many others this library refuses for the version.
        rewritten: how many of those asked are written otherwise than for the newest Spark.
        failing: how many of those asked fail on both for some row.
        explained: how many differ for a reason that is listed.
        differences: for each query that differs otherwise, what differs, and each listed one that does not differ.
    """

    version: str
    asked: int
    refused: int
    rewritten: int
    failing: int
    explained: int
    differences: Mapping[str, str]

    @staticmethod
    def of(
        version: str, texts: Texts, answers: Mapping[str, Answer], newest: tuple[Texts, Mapping[str, Answer]]
    ) -> Outcome:
        """Compare the answers of a version with the texts and answers of the newest Spark."""
        accepted, theirs = newest[0].accepted, newest[1]
        # What the newest Spark refuses on purpose, such as a probe of a catalog, is not compared.
        compared = [name for name in answers if "refused" not in theirs[name]]
        found = {name: difference(answers[name], theirs[name]) for name in compared}
        others = {name: differs for name, differs in found.items() if differs is not None}
        listed = known_values(version)
        of_listed = [name for name in others if _parts(name) & listed]
        used = set().union(*map(_parts, of_listed))
        asked = set().union(*map(_parts, compared))
        gone = dict.fromkeys(listed & asked - used, "is listed in tests/versions/known.py, and does not differ")
        return Outcome(
            version,
            len(compared),
            len(texts.refused),
            sum(texts.accepted[name] != accepted[name] for name in compared),
            sum("failed" in answers[name] for name in compared),
            len(of_listed),
            gone | {name: differs for name, differs in others.items() if name not in of_listed},
        )


def _parts(name: str) -> set[str]:
    """Return the names under which a query may be listed: its own, and that of its function."""
    return {name, name.partition(":")[0]}


def writers(most: int = CALLS) -> dict[str, Writer]:
    """Return the writer of each query; the queries of calls over the view begin with the name of the function."""
    found: dict[str, Writer] = {}
    for definition in BUILT_INS:
        if definition.is_deterministic and definition.name not in LEFT_OUT:
            asked = [call for call in calls(definition, most) if call.expression is not None]
            # The oldest version has no columns of some types.
            for some in ([c for c in asked if not _new(c)], [c for c in asked if _new(c)]):
                for call in _evenly(some, most):
                    found[f"{definition.name}: {call.text}"] = _writer_of_call(call)
    env = environment_without_spark()
    for name, text in _constants():
        try:
            query = env.sql_query(text)
        except TableException:
            # Some examples name columns.
            continue
        found[f"{name}: {text}"] = lambda layout, target, query=query: query.as_serializable_string(
            layout=layout, target=target
        )
    return found


def _constants() -> Iterator[tuple[str, str]]:
    """Yield queries of constants: the examples of functions, and the edge cases of the tests, each with its place."""
    for definition in BUILT_INS:
        example = definition.documentation.example
        if example is not None and definition.is_deterministic and definition.name not in LEFT_OUT:
            is_table = definition.kind is FunctionKind.TABLE
            yield definition.name, f"SELECT * FROM {example[0]}" if is_table else f"SELECT {example[0]}"
    for module in pkgutil.iter_modules(tests.functions.__path__):
        if not module.name.startswith("test_"):
            for text, _ in importlib.import_module(f"tests.functions.{module.name}").CASES:
                yield module.name, f"SELECT {text}"
    yield from CHANGED_BY_SETTINGS
    for probe in probes().values():
        if len(probe.statements) == 1:
            yield "syntax", probe.statements[0]


def _new(call: Asked) -> list[str]:
    return [family for family in call.families if target_of(SPARKS[0]).lacks_feature(f"type: {family}")]


def _writer_of_call(call: Asked) -> Writer:
    is_table = BUILT_INS.by_name(call.function).kind is FunctionKind.TABLE

    def write(layout: Layout, target: Target) -> str:
        preparation = Preparation(target)
        for name in call.columns:
            preparation.require_type(columns()[name])
        text = call.text_for(target)
        return f"{_BEFORE}{text} AS v" if is_table else f"{_BEFORE}{text}{_BEHIND}"

    return write


def run(version: str, texts: Mapping[str, str], likely: Collection[str] = ()) -> dict[str, Answer]:
    """Return the answer of a version to each text; one that fails over all rows is asked about row by row.

    Args:
        version: the version.
        texts: the texts by their names.
        likely: the names of those that are expected to succeed, which are asked about together.
    """
    with Spark(version) as spark:
        _prepare(spark)
        found = _together(spark, {name: texts[name] for name in likely if name in texts})
        rest = [name for name in texts if name not in found]
        found |= dict(zip(rest, spark.queries([texts[name] for name in rest]), strict=True))
        failed = [name for name in rest if "failed" in found[name] and VIEW in texts[name]]
        for row in range(ROWS):
            source = f"(SELECT * FROM {VIEW} WHERE {ROW} = {row})"
            of_row = spark.queries([texts[name].replace(f"FROM {VIEW}", f"FROM {source}") for name in failed])
            for name, answer in zip(failed, of_row, strict=True):
                found[name].setdefault("by_row", []).append(answer.get("rows", _FAILS))
    return found


def _prepare(spark: Spark) -> None:
    """Make the view, without the columns whose values the version cannot make."""
    prepare(spark)
    spark.ask("commands", texts=[f"USE DATABASE {DATABASE}"])
    tried = [f"SELECT {', '.join(value_of(kind, row) for row in range(ROWS))}" for kind in columns().values()]
    answers = spark.queries(tried, rows=False)
    missing = [name for name, answer in zip(columns(), answers, strict=True) if "refused" in answer]
    spark.ask("view_of", name=VIEW, query=query_of_rows(missing))


def _together(spark: Spark, texts: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """Return the rows of calls over the view, several in one query, without those of queries that fail."""
    groups: dict[bool, list[str]] = defaultdict(list)
    for name, text in texts.items():
        if text.startswith(_BEFORE) and text.endswith(_BEHIND):
            definition = BUILT_INS.by_name(name.partition(":")[0])
            groups[definition.kind is FunctionKind.AGGREGATE and " OVER (" not in text].append(name)
    batches = [names[at : at + _AT_ONCE] for names in groups.values() for at in range(0, len(names), _AT_ONCE)]
    queries = [
        f"{_BEFORE}{', '.join(texts[name][len(_BEFORE) : -len(_BEHIND)] for name in names)} FROM {VIEW}"
        for names in batches
    ]
    found: dict[str, dict[str, Any]] = {}
    for names, answer in zip(batches, spark.queries(queries), strict=True):
        # Where the rows of a query cannot be sent, PySpark may give none. Each call is asked about alone then.
        if answer.get("rows"):
            for at, name in enumerate(names):
                found[name] = {"rows": [[row[at]] for row in answer["rows"]]}
    return found


def difference(answer: Answer, newest: Answer) -> str | None:
    """Return how the values of a query differ from those of the newest Spark, None if they do not."""
    if "refused" in answer:
        return str(answer["refused"])
    if "failed" in answer and "failed" not in newest:
        return f"fails with {answer['failed']['refused']}"
    if "failed" not in answer and "failed" in newest:
        return f"does not fail with {newest['failed']['refused']}"
    # A query that fails on both is compared by row if it reads the view.
    ours, theirs = (found.get("by_row") or sorted(found.get("rows", ()), key=repr) for found in (answer, newest))
    return None if ours == theirs else f"{ours} and not {theirs}"


def main() -> int:
    """Compare and print; return the exit status, 0 if a reason is known for each difference."""
    parser = argparse.ArgumentParser(prog="python -m tests.versions.values", description=__doc__)
    parser.add_argument("versions", nargs="*", help=f"some of {', '.join(SPARKS)}; all of them by default")
    parser.add_argument("--calls", type=int, default=CALLS, help="about how many calls of each function")
    given = parser.parse_args()
    versions = given.versions or list(SPARKS)
    unknown = [version for version in versions if version not in SPARKS or python_of(version) is None]
    if unknown:
        parser.error(f"no environment for Spark {', '.join(unknown)}; make versions makes those of {', '.join(SPARKS)}")
    # The calls have arguments of all types.
    warnings.simplefilter("ignore", SuspiciousCastWarning)
    written = writers(given.calls)
    newest = Texts.of(written, Layout.MERGED, target_of(NEWEST))
    expected = run(NEWEST, newest.accepted)
    likely = [name for name, answer in expected.items() if "rows" in answer]
    console = Console(highlight=False, markup=False, width=160)
    table = Table(
        "Spark", "queries", "refused by name", "written otherwise", "failing on both", "explained", "other values"
    )
    is_right = True
    for version in versions:
        texts = Texts.of(written, Layout.MERGED, target_of(version))
        found = Outcome.of(version, texts, run(version, texts.accepted, likely), (newest, expected))
        numbers = (found.asked, found.refused, found.rewritten, found.failing, found.explained, len(found.differences))
        table.add_row(version, *[f"{number:,}" for number in numbers])
        for name, differs in found.differences.items():
            console.print(f"Spark {version}: {name}: {differs[:400]}")
        is_right &= not found.differences
    console.print(table)
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
