"""Function name resolution: every combination of functions with the name and of spellings, run on Spark."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from ir.errors import (
    DatabaseNotExistException,
    FunctionAlreadyExistException,
    FunctionNotExistException,
    ValidationException,
)
from tableapi import (
    AggregateFunction,
    DirectoryCatalog,
    EnvironmentSettings,
    Table,
    TableEnvironment,
    udaf,
    udf,
    udtf,
)
from tableapi.expressions import call, lit
from tableapi.udf import UserDefinedFunctionWrapper
from tableapi.user_functions.stored import ALLOWED_PACKAGES
from tests.user_functions import functions

CATALOG, DATABASE = "here", "now"


def says(text: str) -> UserDefinedFunctionWrapper:
    """Return a function whose result tells which one was called."""
    return udf(lambda given: text, ["STRING"], "STRING", name="says")


# --- the table of FLIP-57 --------------------------------------------------------------------------------------------

SYSTEM, BUILT_IN, TEMPORARY, STORED = "temporary system", "built-in", "temporary", "stored"
KINDS = (SYSTEM, BUILT_IN, TEMPORARY, STORED)
# A name for each set of kinds that define it; sets with a built-in function have its name, with its value for 'Ab'.
BUILT_IN_VALUES: dict[str, object] = {
    "upper": "AB",
    "lower": "ab",
    "char_length": 2,
    "concat": "Ab",
    "coalesce": "Ab",
    "isnotnull": True,
    "array": ["Ab"],
    "isnull": False,
}
REFERENCES: dict[str, tuple[str, ...]] = {
    "{name}": (SYSTEM, BUILT_IN, TEMPORARY, STORED),
    f"{DATABASE}.{{name}}": (TEMPORARY, STORED),
    f"{CATALOG}.{DATABASE}.{{name}}": (TEMPORARY, STORED),
    "system.builtin.{name}": (BUILT_IN,),
    "system.session.{name}": (SYSTEM, TEMPORARY),
}
"""The spellings of a function name, each with the kinds in the order of resolution."""
QUOTED: dict[str, tuple[str, ...]] = {
    "`{name}`": REFERENCES["{name}"],
    f"`{DATABASE}`.`{{name}}`": REFERENCES[f"{DATABASE}.{{name}}"],
    f"{CATALOG}.`{DATABASE}`.`{{name}}`": REFERENCES[f"{CATALOG}.{DATABASE}.{{name}}"],
    "`session`.`{name}`": REFERENCES["system.session.{name}"],
    f"{DATABASE.upper()}.{{name}}": REFERENCES[f"{DATABASE}.{{name}}"],
    f"{CATALOG.upper()}.{DATABASE.title()}.{{name}}": REFERENCES[f"{CATALOG}.{DATABASE}.{{name}}"],
    "SYSTEM.Builtin.{name}": REFERENCES["system.builtin.{name}"],
    "System.SESSION.{name}": REFERENCES["system.session.{name}"],
}
"""The same names in quotes and in other cases, and one shorter name."""


def sets() -> Iterator[tuple[str, ...]]:
    return chain.from_iterable(combinations(KINDS, size) for size in range(1, len(KINDS) + 1))


_names = iter(BUILT_IN_VALUES)
NAMES = {kinds: next(_names) if BUILT_IN in kinds else f"f_{'_'.join(kinds).replace(' ', '_')}" for kinds in sets()}


@pytest.fixture
def env() -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name(CATALOG)
    env = TableEnvironment.create(settings.with_built_in_database_name(DATABASE).build())
    env.get_config().set(ALLOWED_PACKAGES, "tests.user_functions")
    return env


def test_every_kind_and_reference(spark: SparkSession) -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name(CATALOG)
    env = TableEnvironment.create(settings.with_built_in_database_name(DATABASE).build(), spark=spark)
    env.get_config().set(ALLOWED_PACKAGES, "tests.user_functions")
    for kinds, name in NAMES.items():
        # In capital letters, since names are case-insensitive.
        if SYSTEM in kinds:
            env.create_temporary_system_function(name.upper(), says(SYSTEM))
        if STORED in kinds:
            env.create_function(name.upper(), functions.stored)
        if TEMPORARY in kinds:
            env.create_temporary_function(f"{DATABASE}.{name.upper()}", says(TEMPORARY))
    one = env.from_elements([("Ab",)], ["text"])
    env.create_temporary_view("one", one)
    fluent, texts, expected = [], [], []
    for kinds, name in NAMES.items():
        for reference, order in {**REFERENCES, **QUOTED}.items():
            meant = next((kind for kind in order if kind in kinds), None)
            # In any case, and also in quotes.
            path = reference.format(name=name.title() if reference in QUOTED else name)
            if meant is None:
                with pytest.raises(FunctionNotExistException):
                    one.select(call(path, lit("Ab")))
                with pytest.raises(FunctionNotExistException):
                    env.sql_query(f"SELECT {path}('Ab') FROM one")
                continue
            alias = f"c{len(fluent)}"
            fluent.append(call(path, lit("Ab")).alias(alias))
            texts.append(f"{path}('Ab') AS {alias}")
            expected.append(BUILT_IN_VALUES[name] if meant == BUILT_IN else meant)
    assert len(expected) > 80
    query = one.select(*fluent)
    assert rows_of(query) == [tuple(expected)]
    written = env.sql_query(f"SELECT {', '.join(texts)} FROM one")
    assert rows_of(written) == [tuple(expected)]
    # The printed text calls the same functions when it is read.
    for table in (query, written):
        assert env.sql_query(table.as_serializable_string()).query_operation is table.query_operation


def rows_of(table: Table) -> list[tuple[object, ...]]:
    return [tuple(row) for row in table.execute().collect()]


def test_the_page_has_the_table() -> None:
    page = (Path(__file__).parents[2] / "docs" / "function-resolution.md").read_text(encoding="utf-8")
    lines = [line for line in page.splitlines() if line.startswith("| ") and "✓" in line]
    assert len(lines) == len(NAMES) == 15
    for line, kinds in zip(lines, NAMES, strict=True):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        assert [cell == "✓" for cell in cells[:4]] == [kind in kinds for kind in KINDS]
        meant = [next((kind for kind in order if kind in kinds), "none") for order in REFERENCES.values()]
        assert cells[4:] == meant


def registered(env: TableEnvironment, sets_of: dict[tuple[str, ...], str], made: Callable[[str], Any]) -> None:
    """Register functions of the given kinds under each name; ``made`` returns a function of a kind."""
    for kinds, name in sets_of.items():
        if SYSTEM in kinds:
            env.create_temporary_system_function(name, made(SYSTEM))
        if STORED in kinds:
            env.create_function(name, made(STORED))
        if TEMPORARY in kinds:
            env.create_temporary_function(name, made(TEMPORARY))


def calls(sets_of: dict[tuple[str, ...], str], references: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    """Return each valid reference with the kind that it resolves to."""
    return [
        (reference.format(name=name), next(kind for kind in order if kind in kinds))
        for kinds, name in sets_of.items()
        for reference, order in references.items()
        if any(kind in kinds for kind in order)
    ]


def test_aggregates_of_every_kind_and_reference(spark: SparkSession) -> None:
    # With their values for 'Ab'.
    values: dict[str, object] = dict.fromkeys(["max", "min", "first", "last", "any_value", "mode"], "Ab")
    values |= {"count": 1, "collect_list": ["Ab"]}
    names = iter(values)
    sets_of = {kinds: next(names) if BUILT_IN in kinds else NAMES[kinds] for kinds in sets()}
    made = {SYSTEM: udaf(Says(SYSTEM), ["STRING"], "STRING"), TEMPORARY: udaf(Says(TEMPORARY), ["STRING"], "STRING")}
    env = on_spark(spark)
    registered(env, sets_of, lambda kind: made.get(kind, functions.stored_aggregate))
    env.create_temporary_view("one", env.from_elements([("Ab",)], ["text"]))
    texts, expected = [], []
    for path, meant in calls(sets_of, REFERENCES):
        texts.append(f"{path}(text) AS c{len(texts)}")
        name = path.rpartition(".")[2]
        expected.append(values[name] if meant == BUILT_IN else meant)
    table = env.sql_query(f"SELECT {', '.join(texts)} FROM one")
    assert rows_of(table) == [tuple(expected)]
    assert env.sql_query(table.as_serializable_string()).query_operation is table.query_operation


# Sets with all pairs of kinds, and a built-in table function for each set that contains one.
TABLES = {
    (SYSTEM, BUILT_IN): "explode",
    (BUILT_IN, TEMPORARY): "explode_outer",
    (BUILT_IN, STORED): "inline",
    KINDS: "inline_outer",
    (SYSTEM, TEMPORARY): "f_a",
    (SYSTEM, STORED): "f_b",
    (TEMPORARY, STORED): "f_c",
}


def test_table_functions_of_every_kind_and_reference(spark: SparkSession) -> None:
    env = on_spark(spark)
    made = {kind: udtf(lambda given, kind=kind: [kind], result_types=["STRING"]) for kind in (SYSTEM, TEMPORARY)}
    registered(env, TABLES, lambda kind: made.get(kind, functions.stored_rows))
    env.create_temporary_view("one", env.sql_query("SELECT ARRAY(NAMED_STRUCT('a', 'Ab')) AS given"))
    texts, expected = [], []
    for path, meant in calls(TABLES, REFERENCES):
        number = len(texts)
        struct = meant == BUILT_IN and "explode" in path
        texts.append(f"SELECT {number} AS n, r.v{'.a' if struct else ''} AS v FROM one, LATERAL {path}(given) AS r(v)")
        expected.append((number, "Ab" if meant == BUILT_IN else meant))
    table = env.sql_query(" UNION ALL ".join(texts))
    assert sorted(rows_of(table)) == expected
    assert env.sql_query(table.as_serializable_string()).query_operation is table.query_operation


def test_process_table_functions_of_every_kind_and_reference(spark: SparkSession) -> None:
    env = on_spark(spark)
    made = {SYSTEM: functions.ProcessAsSystem, TEMPORARY: functions.ProcessAsTemporary, STORED: functions.ProcessStored}
    kinds_of = {kinds: name for kinds, name in NAMES.items() if BUILT_IN not in kinds}
    registered(env, kinds_of, made.__getitem__)
    env.create_temporary_view("one", env.from_elements([("Ab",)], ["text"]))
    texts, expected = [], []
    for path, meant in calls(kinds_of, REFERENCES):
        texts.append(f"SELECT {len(texts)} AS n, v FROM {path}(input => TABLE one, uid => 'c{len(texts)}') AS r(v)")
        expected.append((len(expected), meant))
    table = env.sql_query(" UNION ALL ".join(texts))
    assert sorted(rows_of(table)) == expected
    assert env.sql_query(table.as_serializable_string()).query_operation is table.query_operation


def test_bodies_and_views_of_every_kind_and_reference(spark: SparkSession, tmp_path: Path) -> None:
    env = TableEnvironment.create(spark=spark.newSession())
    env.register_catalog(CATALOG, DirectoryCatalog(CATALOG, tmp_path, DATABASE))
    env.use_catalog(CATALOG)
    env.get_config().set(ALLOWED_PACKAGES, "tests.user_functions")
    made = {SYSTEM: says(SYSTEM), TEMPORARY: says(TEMPORARY), STORED: functions.stored}
    registered(env, NAMES, made.__getitem__)
    # Stored text ignores temporary functions; temporary views are read like the text of a query.
    permanent = {
        reference: tuple(k for k in order if k in (BUILT_IN, STORED)) for reference, order in REFERENCES.items()
    }
    stored = calls(NAMES, {reference: order for reference, order in permanent.items() if order})
    (tmp_path / DATABASE / "views").mkdir(exist_ok=True)
    columns = ", ".join(f"{path}('Ab') AS c{i}" for i, (path, _) in enumerate(stored))
    (tmp_path / DATABASE / "views" / "v.sql").write_text(f"CREATE VIEW v AS SELECT {columns};\n", encoding="utf-8")
    values = [BUILT_IN_VALUES[path.rpartition(".")[2]] if meant == BUILT_IN else meant for path, meant in stored]
    assert rows_of(env.from_path("v")) == [tuple(values)]
    texts, expected = [], []
    for is_stored, (path, meant) in [
        *[(False, one) for one in calls(NAMES, REFERENCES)],
        *[(True, one) for one in stored],
    ]:
        name = f"body_{len(texts)}"
        kind = "" if is_stored else "TEMPORARY SYSTEM "
        body = f"CAST({path}(x) AS STRING)"
        if is_stored:
            file = tmp_path / DATABASE / "functions" / f"{name}.sql"
            file.write_text(f"CREATE FUNCTION {name}(x STRING) RETURNS STRING RETURN {body};\n", encoding="utf-8")
        else:
            env.execute_sql(f"CREATE {kind}FUNCTION {name}(x STRING) RETURNS STRING RETURN {body}")
        texts.append(f"{name}('Ab') AS c{len(texts)}")
        value = BUILT_IN_VALUES[path.rpartition(".")[2]] if meant == BUILT_IN else meant
        expected.append(
            {True: "true", False: "false", 2: "2"}.get(value, value) if not isinstance(value, list) else "[Ab]"
        )
    assert rows_of(env.sql_query(f"SELECT {', '.join(texts)}")) == [tuple(expected)]


def on_spark(spark: SparkSession) -> TableEnvironment:
    """Return an environment over Spark whose current namespace is in memory."""
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name(CATALOG)
    env = TableEnvironment.create(settings.with_built_in_database_name(DATABASE).build(), spark=spark.newSession())
    env.get_config().set(ALLOWED_PACKAGES, "tests.user_functions")
    return env


class Says(AggregateFunction):
    """An aggregate whose result tells which one was called."""

    def __init__(self, text: str) -> None:
        self.text = text

    def create_accumulator(self) -> list[str]:
        return []

    def accumulate(self, accumulator: list[str], *args: str) -> None:
        pass

    def get_value(self, accumulator: list[str]) -> str:
        return self.text


def test_names_resolve_in_the_current_namespace(env: TableEnvironment) -> None:
    env.create_temporary_function("f", says("here.now"))
    env.create_temporary_function("there.then.f", says("there.then"))
    table = env.from_elements([("a",)], ["text"])
    assert "`here`.`now`.`f`" in table.select(call("f", lit("a"))).as_serializable_string()
    assert "`there`.`then`.`f`" in table.select(call("there.then.f", lit("a"))).as_serializable_string()
    with pytest.raises(FunctionNotExistException, match=r"There is no function named 'then.f'"):
        table.select(call("then.f", lit("a")))


# --- creating and dropping -------------------------------------------------------------------------------------------


def test_repeated_names_are_rejected(env: TableEnvironment) -> None:
    env.create_temporary_system_function("f", says("a"))
    with pytest.raises(FunctionAlreadyExistException, match=r"temporary system function\. A function named 'F' does"):
        env.create_temporary_system_function("F", says("b"))
    env.create_temporary_function("f", says("a"))
    with pytest.raises(FunctionAlreadyExistException, match=r"catalog function\. A function 'here\.now\.f' does"):
        env.create_temporary_function("now.F", says("b"))
    env.create_function("g", functions.stored)
    with pytest.raises(FunctionAlreadyExistException, match=r"register catalog function\. A function 'here\.now\.g'"):
        env.create_function("G", functions.stored)
    env.create_function("G", functions.stored, ignore_if_exists=True)


def test_a_temporary_function_stands_before_a_stored_one(env: TableEnvironment) -> None:
    env.create_function("f", functions.stored)
    env.create_temporary_function("f", says("a"))
    with pytest.raises(ValidationException, match=r"Please drop the temporary function first"):
        env.drop_function("f")
    with pytest.raises(FunctionAlreadyExistException, match=r"A temporary function 'here.now.f' does already exist"):
        env.create_function("f", functions.stored)
    env.create_function("f", functions.stored, ignore_if_exists=True)
    assert env.drop_temporary_function("f")
    assert env.drop_function("f")
    assert not env.drop_function("f")
    assert not env.drop_temporary_function("f")
    assert not env.drop_temporary_system_function("f")


def test_temporary_functions_may_be_in_databases_that_do_not_exist(env: TableEnvironment) -> None:
    env.create_temporary_function("nowhere.never.f", says("a"))
    assert env.drop_temporary_function("nowhere.never.F")
    with pytest.raises(DatabaseNotExistException, match=r"has no database 'never'"):
        env.create_function("never.f", functions.stored)


def test_lists(env: TableEnvironment) -> None:
    env.create_temporary_system_function("Upper", says("a"))
    env.create_temporary_function("b", says("b"))
    env.create_temporary_function("other.c", says("c"))
    env.create_function("D", functions.stored)
    assert env.list_user_defined_functions() == ["b", "d", "upper"]
    every = env.list_functions()
    assert {"b", "d", "upper", "lower", "sum"} <= set(every)
    assert every == sorted(set(every))


# --- stored functions ------------------------------------------------------------------------------------------------


def test_disallowed_code_is_not_imported(env: TableEnvironment) -> None:
    env.create_function("f", functions.stored)
    env.get_config().set(ALLOWED_PACKAGES, "other, tests.user")
    table = env.from_elements([("a",)], ["text"])
    assert "f" in env.list_user_defined_functions()
    with pytest.raises(ValidationException, match=r"'tests\.user_functions\.functions\.stored', and to use it is to"):
        table.select(call("f", lit("a")))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (says("a"), r"tests\.user_functions\.test_resolution\.says\.<locals>\.<lambda> cannot be stored"),
        (functions.Total, r"^$"),
        (int, r"is no function: it is neither made by udf"),
        (len, r"'len' is an ordinary function: decorate it"),
    ],
)
def test_only_importable_functions_are_stored(env: TableEnvironment, given: object, message: str) -> None:
    if message == "^$":
        env.create_function("f", given)
        return
    with pytest.raises(ValidationException, match=message):
        env.create_function("f", given)
    assert env.list_user_defined_functions() == []


def test_a_temporary_name_has_no_database(env: TableEnvironment) -> None:
    with pytest.raises(ValidationException, match=r"A temporary system function has no database, and the name 'a\.f'"):
        env.create_temporary_system_function("a.f", says("a"))


def test_arguments_have_names(env: TableEnvironment) -> None:
    env.create_temporary_system_function("plus", functions.plus)
    env.create_function("twice", lambda x, by=2: x * by, input_types=["BIGINT", "BIGINT"])
    table = env.from_elements([(1,)], ["id"])
    named = table.select(call("plus", lit(1), b=lit(2)).alias("v"))
    assert named.query_operation is table.select(call("plus", lit(1), lit(2)).alias("v")).query_operation
    assert table.select(functions.plus(b=1, a=2).alias("v")).get_resolved_schema().names == ("v",)
    env.create_temporary_view("one", table)
    assert env.sql_query("SELECT twice(by => 3, x => 1) AS v FROM one").query_operation is (
        env.sql_query("SELECT twice(1, 3) AS v FROM one").query_operation
    )
    with pytest.raises(ValidationException, match=r"plus has no argument named 'c'; it has a, b"):
        table.select(call("plus", lit(1), c=lit(2)))
    with pytest.raises(ValidationException, match=r"^plus has no argument named 'c'; it has a, b"):
        env.sql_query("SELECT plus(1, c => 2) FROM one")


def test_a_function_of_sql_that_calls_itself_is_refused(env: TableEnvironment) -> None:
    for name, body in (("f", "x"), ("g", "f(x)")):
        env.execute_sql(f"CREATE FUNCTION {name}(x INT) RETURNS INT RETURN {body}")
    env.execute_sql("CREATE OR REPLACE FUNCTION f(x INT) RETURNS INT RETURN g(x)")
    with pytest.raises(ValidationException, match=r"A function of SQL calls itself, directly or by way of another"):
        env.sql_query("SELECT f(1)")
