"""PyFlink's ways to write rows, types, operators and paths."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass
from typing import Any

import pytest

import tableapi
from ir.errors import SqlParserException, TableException, TableNotExistException, ValidationException
from tableapi import (
    CatalogDatabase,
    DataTypes,
    EnvironmentSettings,
    InMemoryCatalog,
    ObjectPath,
    Row,
    RowKind,
    Table,
    TableEnvironment,
    udaf,
    udf,
    udtf,
)
from tableapi.advice.refusals import REFUSED
from tableapi.expressions import array, col, lit, null_of, rand, row, with_all_columns

BIGINT_AND_STRING = DataTypes.ROW([DataTypes.FIELD("a", DataTypes.BIGINT()), DataTypes.FIELD("b", "STRING")])


@pytest.fixture
def env() -> TableEnvironment:
    return TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("mem").build())


def shown(table: Table) -> str:
    values = table.as_serializable_string().split("VALUES")[1].split("AS `values`")[0]
    return f"{table.get_resolved_schema()!r} {' '.join(values.split())}"


# --- rows of expressions ---------------------------------------------------------------------------------------------


@dataclass
class Pair:
    a: Any
    b: Any


@pytest.mark.parametrize(
    ("rows", "schema", "expected"),
    [
        ([row(1, lit("a"))], None, "(`f0` INT NOT NULL, `f1` STRING NOT NULL) (1, 'a')"),
        (
            [row(1, "a"), row(2, null_of("STRING"))],
            ["x", "y"],
            "(`x` INT NOT NULL, `y` STRING) (1, 'a'), (2, NULL)",
        ),
        ([lit(1), lit(2)], None, "(`f0` INT NOT NULL) (1), (2)"),
        ([lit(1), 2], ["n"], "(`n` INT NOT NULL) (1), (2)"),
        (
            [(lit(1), lit("x")), (2.5, "y")],
            ["a", "b"],
            "(`a` DOUBLE NOT NULL, `b` STRING NOT NULL) (1.0D, 'x'), (2.5D, 'y')",
        ),
        (
            [(lit(1) + 1, [lit(1), 2])],
            ["a", "b"],
            "(`a` INT NOT NULL, `b` ARRAY<INT NOT NULL> NOT NULL) (1 + 1, ARRAY(1, 2))",
        ),
        ([({"k": lit(2)},)], ["m"], "(`m` MAP<STRING, INT NOT NULL> NOT NULL) (MAP('k', 2))"),
        ([Pair(lit(1), "x")], None, "(`a` INT NOT NULL, `b` STRING NOT NULL) (1, 'x')"),
        ([{"a": lit(1), "b": "x"}], None, "(`a` INT NOT NULL, `b` STRING NOT NULL) (1, 'x')"),
        ([Row(a=lit(1), b="x")], None, "(`a` INT NOT NULL, `b` STRING NOT NULL) (1, 'x')"),
        ([Row("a", "b")(1, lit("x"))], None, "(`a` INT NOT NULL, `b` STRING NOT NULL) (1, 'x')"),
        ([row(1, "x")], BIGINT_AND_STRING, "(`a` BIGINT NOT NULL, `b` STRING NOT NULL) (1L, 'x')"),
        ([(lit(1) + 1,)], "ROW<a BIGINT>", "(`a` BIGINT NOT NULL) (CAST(1 + 1 AS BIGINT))"),
        ([array(1, 2)], None, "(`f0` ARRAY<INT NOT NULL> NOT NULL) (ARRAY(1, 2))"),
        ([row(row(2))], ["a"], "(`a` ROW<`f0` INT NOT NULL> NOT NULL) (NAMED_STRUCT('f0', 2))"),
    ],
)
def test_rows_of_expressions(env: TableEnvironment, rows: list[Any], schema: Any, expected: str) -> None:
    assert shown(env.from_elements(rows, schema)) == expected


@pytest.mark.parametrize(
    ("rows", "schema", "message"),
    [
        ([(1,), (col("a"),)], None, r"^Row 1: Cannot resolve field \[a\]"),
        ([lit(1).sum], None, r"^Row 0: sum\(1\) is an aggregate, and the rows of from_elements hold constants"),
        ([(rand(),)], None, r"^Row 0: rand\(\) has another value each time"),
        ([row("x", "y")], BIGINT_AND_STRING, r"^Row 0, column 'a': 'x' is of type STRING NOT NULL, of which no value"),
        ([(lit(1), 2), (lit("x"),)], None, r"Row 1 has 1 value, but there are 2 names"),
        ([(null_of("INT"),)], "ROW<a INT NOT NULL>", r"^Row 0, column 'a': NULL is not a INT NOT NULL"),
    ],
)
def test_wrong_rows_of_expressions(env: TableEnvironment, rows: list[Any], schema: Any, message: str) -> None:
    with pytest.raises(ValidationException, match=message):
        env.from_elements(rows, schema)


def test_functions_by_name_in_rows(env: TableEnvironment) -> None:
    env.create_function("twice", lambda x: x * 2, input_types=["INT"], inline=True)
    assert shown(env.from_elements([(tableapi.expressions.call("twice", 4),)], ["n"])) == "(`n` INT NOT NULL) (4 * 2)"


# --- operators -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (col("a") ** 2, "POWER(`a`, 2)"),
        (2 ** col("a"), "POWER(2, `a`)"),
        (col("a") // 2, "`a` DIV 2"),
        (7 // col("a"), "7 DIV `a`"),
        (7 % col("a"), "7 % `a`"),
        ((col("a") + 1) // 3, "(`a` + 1) DIV 3"),
        (+col("a"), "`a`"),
        (-(col("a") ** 2), "-POWER(`a`, 2)"),
    ],
)
def test_operators(env: TableEnvironment, expression: Any, text: str) -> None:
    found = env.from_elements([(1,)], ["a"]).select(expression.alias("x")).as_serializable_string()
    assert f"SELECT {text} AS `x`" in found or (text == "`a`" and "`a` AS `x`" in found)


def test_all_columns(env: TableEnvironment) -> None:
    table = env.from_elements([(1, "x")], ["a", "b"])
    assert table.select(with_all_columns()).query_operation is table.query_operation


# --- types as text ---------------------------------------------------------------------------------------------------


def test_types_as_text(env: TableEnvironment) -> None:
    table = env.from_elements([(1, "x")], ["a", "b"])
    found = table.select(
        col("a").cast("BIGINT").alias("c"),
        col("b").try_cast("DECIMAL(10, 2)").alias("d"),
        lit(1, "DOUBLE").alias("e"),
        null_of("ARRAY<INT>").alias("f"),
        col("a").cast("TIMESTAMP_LTZ(3)").alias("g"),
        col("b").json_value("$.x", "INT").alias("h"),
    )
    assert repr(found.get_resolved_schema()) == (
        "(`c` BIGINT NOT NULL, `d` DECIMAL(10, 2), `e` DOUBLE NOT NULL, `f` ARRAY<INT>, `g` TIMESTAMP_LTZ NOT NULL, "
        "`h` INT)"
    )
    assert DataTypes.MAP("STRING", "INT") == DataTypes.MAP(DataTypes.STRING(), DataTypes.INT())
    assert DataTypes.LIST_VIEW("INT") == DataTypes.ARRAY("INT")
    assert DataTypes.MAP_VIEW("INT", "INT") == DataTypes.MAP("INT", "INT")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: col("a").cast("BIGNT"), r"^The type of cast: .*no type 'BIGNT'. Did you mean 'BIGINT'\?"),
        (lambda: col("a").try_cast("STRNG"), r"^The type of try_cast: .*Did you mean 'STRING'\?"),
        (lambda: lit(1, "INTT"), r"^The type of lit: .*Did you mean 'INT'\?"),
        (lambda: null_of("DOUBEL"), r"^The type of null_of: .*Did you mean 'DOUBLE'\?"),
        (lambda: DataTypes.ARRAY("DAT"), r"^The type of elements: .*Did you mean 'DATE'\?"),
        (lambda: DataTypes.FIELD("x", "BOOLAEN"), r"^The type of the field 'x': .*Did you mean 'BOOLEAN'\?"),
    ],
)
def test_misspelt_types_have_the_nearest_name(make: Any, message: str) -> None:
    with pytest.raises(SqlParserException, match=message):
        make()


@pytest.mark.parametrize("given", [3, int, DataTypes.INT])
def test_invalid_types(given: Any) -> None:
    with pytest.raises(ValidationException, match=r"The type of cast must be a type such as DataTypes.INT\(\), or its"):
        col("a").cast(given)


# --- rows ------------------------------------------------------------------------------------------------------------


def test_rows_change() -> None:
    made = Row(0, "x")
    made[0] += 5
    made.set_field_names(["n", "count"])
    made["n"] += 1
    made.count = "y"
    assert (made, made.count, made.as_dict(), made[0:2]) == ((6, "y"), "y", {"n": 6, "count": "y"}, (6, "y"))
    with pytest.raises(AttributeError, match=r"no field 'm'; it has the fields \[n, count\]"):
        made.m = 1
    with pytest.raises(AttributeError, match="no field 'm'"):
        made.m  # noqa: B018  # the attribute is asked for
    with pytest.raises(KeyError):
        made["m"] = 1


def test_rows_compare_like_tuples() -> None:
    assert Row(1, "a") == Row(x=1, y="a") == (1, "a")
    assert Row(1, "a") == (1, "a")
    assert Row(1, "a") != (1, "b")
    assert Row(1) != [1]
    assert {Row(1, "a"), (1, "a"), Row(2)} == {(1, "a"), (2,)}
    assert sorted([Row(2), (1,), Row(0)]) == [(0,), (1,), (2,)]
    assert max(Row(1), Row(2)) >= (2,)
    assert 1 in Row(1, 2)
    assert [*Row(1, 2)] == [1, 2]


def test_a_row_of_names_makes_rows() -> None:
    person = Row("id", "name")
    assert repr(person(1, "Ann")) == "Row(id=1, name='Ann')"
    with pytest.raises(ValueError, match="but 1 values were given"):
        person(1)
    with pytest.raises(TypeError, match="only a Row of names makes rows"):
        Row(1, 2)(3, 4)
    with pytest.raises(ValueError, match="all by position or all by name"):
        Row(1, a=2)
    with pytest.raises(TypeError, match="no names"):
        Row(1).as_dict()


def test_rows_are_copied_and_sent() -> None:
    nested = Row(a=Row(b=[Row(c=1)], d={"e": Row(f=2)}), g=Row(3))
    for made in (copy.deepcopy(nested), pickle.loads(pickle.dumps(nested))):
        assert (made, made.names, made.a.b[0].c) == (nested, ("a", "g"), 1)
    deep = copy.deepcopy(nested)
    deep.a.b[0].c = 9
    assert nested.a.b[0].c == 1
    assert nested.as_dict(True) == {"a": {"b": [{"c": 1}], "d": {"e": {"f": 2}}}, "g": (3,)}


def test_kinds_of_rows() -> None:
    made = Row(1)
    assert made.get_row_kind() is RowKind.INSERT
    made.set_row_kind(RowKind.DELETE)
    for one in (made, Row.of_kind(RowKind.DELETE, 1), copy.copy(made), pickle.loads(pickle.dumps(made))):
        assert (one, one.get_row_kind()) == (Row(1), RowKind.DELETE)
    named = pickle.loads(pickle.dumps(Row.of_kind(RowKind.UPDATE_BEFORE, a=1)))
    assert (named.a, named.names, named.get_row_kind()) == (1, ("a",), RowKind.UPDATE_BEFORE)
    with pytest.raises(TypeError, match=r"is a RowKind, such as RowKind.DELETE, but '-D' was given"):
        made.set_row_kind("-D")  # type: ignore[arg-type]


# --- functions -------------------------------------------------------------------------------------------------------


def test_row_as_an_annotation_is_any_row(env: TableEnvironment) -> None:
    @udf(result_type="ROW<n INT, s STRING>")
    def same(data: Row) -> Row:
        return data

    @udtf(result_types=["INT"])
    def numbers(data: Row) -> Row:
        yield data[0]

    table = env.from_elements([(1, "x")], ["a", "b"])
    assert table.map(same).get_resolved_schema().names == ("n", "s")
    assert table.flat_map(numbers.alias("m")).get_resolved_schema().names == ("m",)
    assert table.join_lateral(numbers.alias("m")).get_resolved_schema().names == ("a", "b", "m")
    assert table.left_outer_join_lateral(numbers).get_resolved_schema().names == ("a", "b", "f0")


def test_an_aggregate_of_a_row_becomes_columns(env: TableEnvironment) -> None:
    made = udaf(lambda frame: (1, 2), result_type="ROW<x INT, y INT>", func_type="pandas", name="made")
    groups = env.from_elements([(1, 2)], ["a", "b"]).group_by(col("a"))
    assert groups.aggregate(made.alias("c", "d")).select(col("*")).get_resolved_schema().names == ("a", "c", "d")
    assert groups.aggregate(made).select(col("*")).get_resolved_schema().names == ("a", "x", "y")
    assert groups.aggregate(made.alias("r")).select(col("r").get("y").alias("y")).get_resolved_schema().names == ("y",)
    with pytest.raises(ValidationException, match=r"alias\('c', 'd', 'e'\) gives 3 names, but made\(.* is of type ROW"):
        groups.aggregate(made.alias("c", "d", "e"))
    with pytest.raises(ValidationException, match=r"alias\('c', 'd'\) gives 2 names, but sum\(b\) is of type BIGINT"):
        groups.aggregate(col("b").sum.alias("c", "d"))
    with pytest.raises(ValidationException, match="alias takes the names"):
        made.alias()
    with pytest.raises(ValidationException, match="text that is not empty"):
        made.alias("c", "")


def test_from_pandas_takes_types(env: TableEnvironment) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [1], "b": [2.5]})
    found = env.from_pandas(frame, [DataTypes.INT(), DataTypes.FLOAT()])
    assert repr(found.get_resolved_schema()) == "(`a` INT, `b` FLOAT)"
    assert env.from_pandas(frame, "ROW<c INT, d DOUBLE>").get_resolved_schema().names == ("c", "d")
    with pytest.raises(ValidationException, match="has 1 types, and the frame 2 columns"):
        env.from_pandas(frame, [DataTypes.INT()])


# --- catalogs and rejected calls -------------------------------------------------------------------------------------


def test_paths_of_objects_in_catalogs(env: TableEnvironment) -> None:
    catalog = InMemoryCatalog("shelf")
    env.register_catalog("shelf", catalog)
    env.use_catalog("shelf")
    env.create_view("v", env.from_elements([(1,)], ["a"]))
    path, missing = ObjectPath("default_database", "V"), ObjectPath.from_string("default_database.w")
    assert (catalog.table_exists(path), catalog.table_exists(missing)) == (True, False)
    assert not catalog.table_exists(ObjectPath("nowhere", "v"))
    assert catalog.get_table(path).schema.names == ("a",)
    catalog.drop_view(missing, True)
    with pytest.raises(TableNotExistException):
        catalog.drop_view(missing, False)
    catalog.drop_view(path)
    assert not catalog.table_exists(path)
    assert str(path) == "default_database.V"
    with pytest.raises(ValidationException, match=r"A path is 'database\.name'"):
        ObjectPath.from_string("a.b.c")


def test_databases_as_pyflink_describes_them() -> None:
    catalog = InMemoryCatalog("shelf")
    catalog.create_database("d", CatalogDatabase.create_instance({"k": "v"}, "mine"), False)
    catalog.create_database("d", CatalogDatabase.create_instance({}), True)
    assert (catalog.get_database("d").get_properties(), catalog.get_database("d").get_comment()) == ({"k": "v"}, "mine")
    catalog.drop_database("d", False)
    catalog.drop_database("d", True)
    assert catalog.list_databases() == [catalog.get_default_database()]


@pytest.mark.parametrize("name", REFUSED["tableapi"])
def test_refused_classes_can_be_imported(name: str) -> None:
    found = getattr(tableapi, name)
    assert name not in tableapi.__all__
    for use in (lambda: found(), lambda: found.create(None)):
        with pytest.raises(
            TableException, match=rf"^{name} is not supported: .+ See docs/coming-from-pyflink.md#.+\.$"
        ):
            use()
