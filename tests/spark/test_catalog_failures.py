"""Storing a view takes several statements: no view is lost, whichever fails or is the last before the process ends."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from ir.errors import CatalogException
from tableapi.catalog.catalog import CatalogView
from tableapi.spark.catalog import SparkCatalog
from tableapi.spark.views.storage import ViewStorage
from tests.cases import some_nightly
from tests.catalog.contract import comments, view_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.long

_numbers = itertools.count()
ZONE = "spark.sql.session.timeZone"
LONG = f"SELECT length('{'x' * 40_000}') AS a"
OTHER_LONG = f"SELECT 1 + length('{'x' * 40_000}') AS a"

CASES = {
    "comment and properties": (
        view_of("SELECT 1 AS a", comment="old", properties={"k": "1"}),
        view_of("SELECT 2 AS b, 3 AS c", "b", "c", comment="new", properties={"k": "2", "l": "3"}),
    ),
    "comments of columns": (
        view_of("SELECT 1 AS a", ("a", "old"), comment="old", properties={"k": "1", "e": ""}),
        view_of("SELECT 2 AS a", ("a", "new"), comment="new", properties={"k": "2"}),
    ),
    "short by long": (view_of("SELECT 1 AS a"), view_of(LONG)),
    "long by short": (view_of(LONG), view_of("SELECT 1 AS a")),
    "long by long with comments": (view_of(LONG, ("a", "old")), view_of(OTHER_LONG, ("a", "new"))),
}


class Killed(BaseException):
    """The process ends here."""


@pytest.fixture
def database(spark: SparkSession) -> Iterator[str]:
    name = f"failure_test_{next(_numbers)}"
    spark.sql(f"CREATE DATABASE {name}")
    yield name
    spark.sql(f"DROP DATABASE {name} CASCADE")


@pytest.fixture(params=some_nightly(sorted(CASES)))
def case(request: pytest.FixtureRequest) -> tuple[CatalogView, CatalogView]:
    return CASES[request.param]


def seen(spark: SparkSession, database: str) -> Any:
    """Return everything that a reader can see of the view; fails if the view cannot be read."""
    found = SparkCatalog(spark).get_table(database, "v")
    assert isinstance(found, CatalogView)
    rows = spark.newSession().table(f"{database}.v").collect()
    return found.text, found.comment, comments(found), dict(found.properties), dict(found.settings), rows


def after_a_whole_replacement(spark: SparkSession, database: str, case: tuple[CatalogView, CatalogView]) -> Any:
    catalog = SparkCatalog(spark)
    catalog.create_view(database, "v", case[0])
    catalog.create_view(database, "v", case[1], or_replace=True)
    whole = seen(spark, database)
    catalog.drop_view(database, "v")
    return whole


class _Interruption:
    """Make a change fail before it runs, given its number; the process ends there (``end``) or goes on.

    Queries are not counted, because a failure at one has the effect of a failure before the next change.
    """

    def __init__(self, number: int, *, end: bool) -> None:
        self.number, self.end = number, end
        self.count = 0
        self.statement = ""
        self._run = ViewStorage._run

    def __call__(self, storage: ViewStorage, sql: str, session: SparkSession | None = None) -> list[Any]:
        if sql.startswith(("DESCRIBE", "SHOW", "CREATE VIEW `spark_catalog`.`no_such_database")):
            if self.statement and self.end:
                raise Killed
            return self._run(storage, sql, session)
        self.count += 1
        if self.count < self.number or (self.count > self.number and not self.end):
            return self._run(storage, sql, session)
        if self.count > self.number:
            raise Killed
        self.statement = sql
        if self.end:
            raise Killed
        raise CatalogException("the metastore is away")


def interrupted(
    monkeypatch: pytest.MonkeyPatch, catalog: SparkCatalog, database: str, view: CatalogView, point: _Interruption
) -> bool:
    """Replace the view with an interruption, and return whether the caller saw an error."""
    with monkeypatch.context() as patch:
        patch.setattr(ViewStorage, "_run", lambda *arguments: point(*arguments))
        try:
            catalog.create_view(database, "v", view, or_replace=True)
        except (CatalogException, Killed):
            return True
    return False


def test_a_failing_statement_leaves_the_old_view(
    spark: SparkSession, database: str, monkeypatch: pytest.MonkeyPatch, case: tuple[CatalogView, CatalogView]
) -> None:
    catalog = SparkCatalog(spark)
    new, old = after_a_whole_replacement(spark, database, case), None
    for number in itertools.count(1):
        catalog.create_view(database, "v", case[0])
        # It is the same view each time.
        old = old or seen(spark, database)
        point = _Interruption(number, end=False)
        failed = interrupted(monkeypatch, catalog, database, case[1], point)
        assert seen(spark, database) == (old if failed else new), point.statement
        assert catalog.list_tables(database) == ["v"], point.statement
        catalog.drop_view(database, "v")
        assert _left_over(spark, database) <= point.statement.startswith("DROP"), point.statement
        _clear(spark, database)
        if not point.statement:
            break


@pytest.mark.nightly
def test_a_killed_process_loses_no_object(
    spark: SparkSession,
    database: str,
    monkeypatch: pytest.MonkeyPatch,
    case: tuple[CatalogView, CatalogView],
) -> None:
    new, old = after_a_whole_replacement(spark, database, case), None
    for number in itertools.count(1):
        SparkCatalog(spark).create_view(database, "v", case[0])
        # It is the same view each time.
        old = old or seen(spark, database)
        point = _Interruption(number, end=True)
        interrupted(monkeypatch, SparkCatalog(spark), database, case[1], point)
        found = seen(spark, database)
        # Text, columns, settings and rows always belong to the same view, old or new. The comment and the properties of
        # a view are set by another Spark statement, so they may already belong to the new view.
        assert (found[0], found[2], found[4], found[5]) in [(v[0], v[2], v[4], v[5]) for v in (old, new)], (
            point.statement
        )
        assert found in [old, new, (old[0], new[1], old[2], new[3], *old[4:])], point.statement
        SparkCatalog(spark).create_view(database, "v", case[1], or_replace=True)
        assert seen(spark, database) == new, point.statement
        SparkCatalog(spark).drop_view(database, "v")
        assert SparkCatalog(spark).list_tables(database) == []
        _clear(spark, database)
        if not point.statement:
            break


@pytest.mark.nightly
@pytest.mark.parametrize("ends", [False, True])
def test_a_kill_within_create_or_replace_loses_no_object(
    spark: SparkSession, database: str, monkeypatch: pytest.MonkeyPatch, ends: bool
) -> None:
    """Spark drops the old view first; then the metastore fails or the process ends."""
    catalog = SparkCatalog(spark)
    case = CASES["comments of columns"]
    new = after_a_whole_replacement(spark, database, case)
    catalog.create_view(database, "v", case[0])
    old = seen(spark, database)
    run = ViewStorage._run
    ended = False

    def failing(storage: ViewStorage, sql: str, session: SparkSession | None = None) -> list[Any]:
        nonlocal ended
        if ended:
            raise Killed
        if sql.startswith(f"CREATE OR REPLACE VIEW {storage.path('v')} "):
            spark.sql(f"DROP VIEW {database}.v")
            ended = ends
            raise Killed if ends else CatalogException("the metastore is away")
        return run(storage, sql, session)

    with monkeypatch.context() as patch:
        patch.setattr(ViewStorage, "_run", failing)
        with pytest.raises((CatalogException, Killed)):
            catalog.create_view(database, "v", case[1], or_replace=True)
    assert seen(spark, database) == (new if ends else old)
    assert SparkCatalog(spark).list_tables(database) == ["v"]
    assert [row.viewName for row in spark.sql(f"SHOW VIEWS IN {database}").collect() if not row.isTemporary] == ["v"]


def test_old_functions_of_a_view_are_removed_with_its_next_change(
    spark: SparkSession, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalog = SparkCatalog(spark)
    with monkeypatch.context() as patch:
        patch.setattr("tableapi.spark.views.storage.time.time", lambda: 1_700_000_000.0)
        catalog.create_view(database, "v", view_of(LONG))
    spark.sql(f"DROP VIEW {database}.v")
    catalog.create_view(database, "v_", view_of(OTHER_LONG))
    catalog.create_view(database, "v", view_of(LONG))
    assert _left_over(spark, database) == 3
    catalog.create_view(database, "v", view_of(OTHER_LONG), or_replace=True)
    assert _left_over(spark, database) == 2
    assert spark.table(f"{database}.v_").collect() == [(40_001,)]


def _left_over(spark: SparkSession, database: str) -> int:
    return len(_stored_functions(spark, database))


def _clear(spark: SparkSession, database: str) -> None:
    for name in _stored_functions(spark, database):
        spark.sql(f"DROP FUNCTION {name}")


def _stored_functions(spark: SparkSession, database: str) -> list[str]:
    # Spark also lists temporary functions of the session, which have unqualified names; other tests may have left some.
    names = [row[0] for row in spark.sql(f"SHOW USER FUNCTIONS IN {database}").collect()]
    return [name for name in names if "." in name]
