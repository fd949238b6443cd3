"""Environments without Spark: catalogs, temporary views, local rows, and rejected calls."""

from __future__ import annotations

import contextlib
import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas
import pyarrow as pa
import pytest
from pyspark.sql.types import ShortType, StringType, StructField, StructType

from ir.identifiers import parse_path
from tableapi import (
    CatalogNotExistException,
    CatalogTable,
    DatabaseNotExistException,
    DataTypes,
    Dialect,
    EnvironmentSettings,
    InMemoryCatalog,
    ResolvedSchema,
    Row,
    Schema,
    SqlParserException,
    TableAlreadyExistException,
    TableEnvironment,
    TableException,
    TableNotExistException,
    ValidationException,
    udf,
)
from tableapi.expressions import col, lit

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def env() -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("default_catalog").build()
    made = TableEnvironment.create(settings)
    catalog = made.get_catalog("default_catalog")
    assert isinstance(catalog, InMemoryCatalog)
    schema = ResolvedSchema.of(["id", "Name"], [DataTypes.INT(), DataTypes.VARCHAR(10)])
    catalog.create_table("default_database", "people", CatalogTable(schema))
    return made


@pytest.mark.slow
def test_a_query_compiles_without_pyspark_or_a_jvm() -> None:
    program = """
import sys
from tableapi import *
from tableapi.expressions import *
settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("mem").build()
env = TableEnvironment.create(settings)
env.get_catalog("mem").create_table(
    "default_database", "t", CatalogTable(ResolvedSchema.of(["a"], [DataTypes.DECIMAL(10, 2)])))
table = env.from_path("t").filter(col("a") > 1).select((col("a") * 2).alias("b"))
assert "`mem`.`default_database`.`t`" in table.as_serializable_string()
assert repr(table.get_resolved_schema()) == "(`b` DECIMAL(12, 2))", table.get_resolved_schema()
table.explain()
loaded = [name for name in sys.modules if name.split(".")[0] in ("pyspark", "py4j", "pandas", "pyarrow")]
assert not loaded, loaded
"""
    subprocess.run([sys.executable, "-c", program], check=True, cwd=ROOT, timeout=60)


def test_importing_loads_no_optional_modules() -> None:
    program = """
import sys
import tableapi
unneeded = ("pyspark", "pandas", "pyarrow", "lark", "grammar.parser", "grammar.syntax", "tableapi.query_diff")
loaded = [name for name in sys.modules if name.startswith(unneeded)]
assert not loaded, loaded
assert tableapi.diff and tableapi.DirectoryCatalog and tableapi.format_sql("select 1") == "SELECT 1"
assert set(tableapi.__all__) <= set(dir(tableapi))
"""
    subprocess.run([sys.executable, "-c", program], check=True, cwd=ROOT, timeout=60)


def test_a_users_own_ir_is_named(tmp_path: Path) -> None:
    (tmp_path / "ir.py").write_text("x = 1\n")
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.append({str(ROOT)!r}); import tableapi"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode != 0
    assert str(tmp_path / "ir.py") in done.stderr.splitlines()[-1]
    assert "Rename" in done.stderr.splitlines()[-1]


def test_columns_are_found_in_any_case_and_keep_theirs(env: TableEnvironment) -> None:
    table = env.from_path("PEOPLE").select(col("NAME"), col("Id"))
    assert table.get_schema().get_field_names() == ["Name", "id"]
    # CHAR and VARCHAR are for declared columns; a query sees STRING.
    assert table.get_schema().get_field_data_types() == [DataTypes.STRING(), DataTypes.INT()]


def test_an_attribute_of_a_table_is_a_column(env: TableEnvironment) -> None:
    people = env.from_path("people")
    assert people.select(people.id + 1).query_operation is people.select(col("id") + 1).query_operation
    with pytest.raises(AttributeError, match=r"neither a method nor a column 'nam'.*Did you mean 'Name'"):
        people.nam  # noqa: B018  # looking is the point


def test_the_users_line_is_the_innermost_outside_of_the_library(env: TableEnvironment) -> None:
    with pytest.raises(ValidationException) as caught:
        env.from_path("people").select(col("nope"))
    frames = [entry.path for entry in caught.traceback]
    ours = [str(ROOT / name) for name in ("tableapi", "ir", "serializer")]
    outside = [path for path in map(str, frames) if not any(path.startswith(folder) for folder in ours)]
    assert Path(outside[-1]) == Path(__file__)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            lambda t: t.select(col("nmae")),
            r"Cannot resolve field \[nmae\], input field list:\[id, Name\]. Did you mean 'Name'?",
        ),
        (lambda t: t.select("id"), r"select takes expressions, but was given the text 'id'. Write col\('id'\)"),
        (lambda t: t.select(), "select needs at least one expression"),
        (lambda t: t.select(col("id"), col("ID")), "Ambiguous column name"),
        (
            lambda t: t.filter(col("id") + 1),
            "filter requires a condition of type BOOLEAN, but plus.id, 1. is of type INT",
        ),
        (lambda t: t.filter(col("id").sum > 1), "filter holds the aggregate sum.id.. Select the aggregate"),
        (lambda t: t.select(col("id").sum.max), "not allowed to use an aggregate function as input of another"),
        (lambda t: t.group_by(col("Name")).select(col("id")), "neither a key of group_by nor inside of an aggregate"),
        (lambda t: t.group_by(col("Name")).select(col("*")), "neither a key of group_by nor inside of an aggregate"),
        (lambda t: t.add_columns(lit(1).alias("ID")), "Ambiguous column name: ID, id"),
        (lambda t: t.add_columns(col("id").sum), "add_columns holds the aggregate"),
        (lambda t: t.rename_columns(col("id")), "rename_columns takes columns with new names"),
        (lambda t: t.rename_columns(col("i").alias("x")), r"Cannot resolve field \[i\].*Did you mean 'id'"),
        (lambda t: t.drop_columns(col("id"), col("name")), "drop_columns would leave no column"),
        (lambda t: t.alias("a", "b", "c"), "alias gives 3 names to 2 columns"),
        (lambda t: t.join(t), r"join relations with ambiguous names: \[id, Name\]. Rename them on one side"),
        (lambda t: t.join(t.alias("a", "b"), col("id") + 1), "join requires a condition"),
        (lambda t: t.union(t.select(col("id"))), "two tables of different column sizes: 2 and 1"),
        (lambda t: t.union_all(t.select(lit(b""), col("id"))), "Column 1 of both sides of union has no common type"),
        (lambda t: t.union(42), "union takes a table, but was given 42"),
        (lambda t: t.order_by(), "order_by needs at least one expression"),
        (lambda t: t.fetch(-1), "The fetch must be a whole number from 0"),
        (lambda t: t.fetch("1"), "fetch takes a whole number, but was given '1'"),
        (lambda t: t.select(col("id").upper_case.distinct), "UPPER does not support DISTINCT"),
        (lambda t: t.select(col("id").alias("a") + 1), "The alias 'a' is inside of another expression"),
        (lambda t: t.select(col("id").alias("a", "b")), "gives several names to one column"),
        (lambda t: t.select(col("id").desc), "asc and desc are for order_by"),
        (lambda t: t.select(col("id").get("x")), r"A value of type INT has no field 'x'"),
        (
            lambda t: t.select(col("id").uper_case()),
            "Expressions have no method 'uper_case'. Did you mean 'upper_case'",
        ),
        (lambda t: t.filter(col("id") > 1 and col("id") < 3), "Use & for and"),
        (lambda t: t.filter(1 < col("id") < 3), "between"),
        (lambda t: t.select(lit(object())), "object"),
        (lambda t: t.select(col("id").cast(int)), r"The type of cast must be a type such as DataTypes.INT\(\)"),
        (lambda t: t.select(col("id").cast(DataTypes.DATE())), "Invalid call of CAST"),
    ],
)
def test_mistakes_are_refused_when_they_are_made(env: TableEnvironment, wrong: object, message: str) -> None:
    with pytest.raises(ValidationException, match=message):
        wrong(env.from_path("people"))  # type: ignore[operator]


def test_names_of_catalog_objects(env: TableEnvironment) -> None:
    with pytest.raises(
        TableNotExistException,
        match=r"`default_catalog`.`default_database`.`peopel` was not found. Did you mean 'people'",
    ):
        env.from_path("peopel")
    with pytest.raises(CatalogNotExistException, match=r"no catalog named 'nope'"):
        env.from_path("nope.a.b")
    with pytest.raises(DatabaseNotExistException, match=r"no database 'nope'"):
        env.from_path("nope.b")
    with pytest.raises(ValidationException, match=r"has 4 parts"):
        env.from_path("a.b.c.d")
    with pytest.raises(ValidationException, match=r"open back-quote"):
        env.from_path("`a")
    assert env.list_tables() == ["people"]
    assert env.list_views() == []


@udf
def same(number: int) -> int:
    return number


@pytest.mark.parametrize(
    ("written", "parts"), [("a", 1), ("$x.ü", 2), ("`a.b`.`c``d`.select", 3), ("a.1a", 2), ("a.` `", 2)]
)
def test_written_paths(written: str, parts: int) -> None:
    assert len(parse_path(written)) == parts


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("a b", r"has ' ' in a part that is not quoted; write `a b`\. Accepted is \[catalog\.\]\[database\.\]name"),
        ("db.a-b", r"has '-' in a part that is not quoted; write `a-b`"),
        ("", "has an empty part"),
        ("a..b", "has an empty part"),
        ("a.``", "has an empty part"),
        ("`a`b", "has an unexpected 'b' after part 1"),
        ("a.b.c.d", "has 4 parts"),
    ],
)
def test_paths_that_are_refused(env: TableEnvironment, written: str, message: str) -> None:
    for use in (
        env.from_path,
        lambda path: env.create_function(path, same),
        lambda path: env.create_temporary_function(path, same),
        lambda path: env.create_temporary_system_function(path, same),
        lambda path: env.create_temporary_view(path, env.from_path("people")),
    ):
        with pytest.raises(ValidationException, match=message):
            use(written)
    assert env.list_user_defined_functions() == []


def test_temporary_views(env: TableEnvironment) -> None:
    people = env.from_path("people")
    env.create_temporary_view("`odd name`", people.filter(col("id") > 1))
    assert env.list_views() == ["odd name"]
    assert env.from_path("`ODD name`").as_serializable_string().endswith("FROM `odd name`")
    with pytest.raises(TableAlreadyExistException, match=r"drop_temporary_view"):
        env.create_temporary_view("`odd name`", people)
    with pytest.raises(ValidationException, match=r"temporary views have a name alone"):
        env.create_temporary_view("db.v", people)
    assert env.drop_temporary_view("`odd name`")
    assert not env.drop_temporary_view("`odd name`")


def test_permanent_views_reject_temporary_objects(env: TableEnvironment) -> None:
    env.create_temporary_view("t", env.from_path("people"))
    other = env.from_path("people").alias("i", "n")
    queries = [
        env.from_path("t"),
        env.from_path("people").filter(col("id").in_(env.from_path("t").select(col("id")))),
        other.join(env.from_path("t").select(col("id")), col("i") == col("id")),
    ]
    for query in queries:
        with pytest.raises(
            ValidationException, match=r"temporary view 't'.*Store that with create_view first.*Nothing was stored"
        ):
            env.create_view("v", query)
    assert env.list_views() == ["t"]


def test_views_of_an_in_memory_catalog(env: TableEnvironment) -> None:
    people = env.from_path("people")
    env.create_view("v", people.select(col("id")), comment="ids", column_comments={"ID": "a number"})
    assert env.from_path("v").get_resolved_schema().columns[0].comment == "a number"
    with pytest.raises(TableAlreadyExistException):
        env.create_view("v", people)
    env.create_view("v", people, if_not_exists=True)
    assert len(env.from_path("v").get_resolved_schema()) == 1
    env.create_view("v", people, or_replace=True)
    assert len(env.from_path("v").get_resolved_schema()) == 2
    with pytest.raises(ValidationException, match=r"Cannot resolve field \[x\]"):
        env.create_view("w", people, column_comments={"x": "?"})
    assert env.drop_view("v")
    assert not env.drop_view("v")
    with pytest.raises(TableNotExistException):
        env.drop_view("v", ignore_if_not_exists=False)


def test_the_proposals_text_in_an_in_memory_catalog(env: TableEnvironment) -> None:
    table = env.from_path("people").filter(col("id") > 1)
    expected = (
        "SELECT `id`, `Name`\nFROM (\n    SELECT `id`, `Name`\n"
        "    FROM `default_catalog`.`default_database`.`people`\n)\nWHERE `id` > 1"
    )
    assert table.as_serializable_string() == expected
    assert table.as_serializable_string(Dialect.FLINK) == expected
    assert table.as_summary_string() == (
        "Filter: (condition: [greaterThan(id, 1)])\n"
        "    CatalogTable: (identifier: [default_catalog.default_database.people], fields: [id, Name])"
    )


def test_from_elements_names_row_and_column() -> None:
    env = TableEnvironment.create()
    row_type = DataTypes.ROW([DataTypes.FIELD("a", DataTypes.TINYINT()), DataTypes.FIELD("b", DataTypes.STRING(False))])
    with pytest.raises(ValidationException, match=r"Row 1, column 'a'.*300"):
        env.from_elements([(1, "x"), (300, "y")], row_type)
    with pytest.raises(ValidationException, match=r"Row 0, column 'b': NULL is not a value of STRING NOT NULL"):
        env.from_elements([(1, None)], row_type)
    with pytest.raises(ValidationException, match=r"Row 0: .*3 values where 2 are expected"):
        env.from_elements([(1, "x", 2)], row_type)
    with pytest.raises(ValidationException, match=r"types without a common type"):
        env.from_elements([(1,), (b"x",)], ["a"])
    with pytest.raises(ValidationException, match=r"needs a schema with types"):
        env.from_elements([], ["a"])
    with pytest.raises(ValidationException, match=r"Row 0: The row .* has no place for 'z'"):
        env.from_elements([{"a": 1, "z": 2}], row_type)


def test_a_table_of_no_rows_has_types_and_text() -> None:
    env = TableEnvironment.create()
    row_type = DataTypes.ROW([DataTypes.FIELD("a", DataTypes.INT(False)), DataTypes.FIELD("b", DataTypes.STRING())])
    empty = env.from_elements([], row_type)
    assert empty.get_schema().get_field_names() == ["a", "b"]
    assert empty.as_serializable_string().endswith("WHERE FALSE")
    assert env.from_elements([], DataTypes.DATE()).get_schema().get_field_names() == ["f0"]


@pytest.mark.parametrize(
    "schema",
    [
        {"name": "STRING", "age": "SMALLINT"},
        {"name": DataTypes.STRING(), "age": DataTypes.SMALLINT()},
        [("name", "STRING"), ("age", "SMALLINT")],
        "name STRING, age SMALLINT",
        "ROW<name STRING, age SMALLINT>",
        Schema.of({"name": "STRING", "age": "SMALLINT"}),
        StructType([StructField("name", StringType()), StructField("age", ShortType())]),
        pa.schema([("name", pa.string()), ("age", pa.int16())]),
    ],
    ids=lambda schema: type(schema).__name__,
)
def test_rows_take_their_columns_in_each_form_of_a_declaration(schema: Any) -> None:
    env = TableEnvironment.create()
    assert repr(env.from_elements([("Ada", 1), (None, None)], schema).get_resolved_schema()) == (
        "(`name` STRING, `age` SMALLINT)"
    )
    frame = pandas.DataFrame({"a": ["Ada"], "b": [1]})
    assert repr(env.from_pandas(frame, schema).get_resolved_schema()) == "(`name` STRING, `age` SMALLINT)"


def test_wrong_columns_of_rows_are_named() -> None:
    env = TableEnvironment.create()
    computed = Schema.new_builder().column("a", "INT").column_by_expression("twice", "a * 2").build()
    with pytest.raises(SqlParserException, match=r"no type 'INTT'\. Did you mean 'INT'\?\nline 1, column 18:"):
        env.from_elements([("Ada", 1)], "name STRING, age INTT")
    with pytest.raises(SqlParserException, match=r"The schema of the rows: .* no type 'INTT'\. Did you mean 'INT'"):
        env.from_elements([1], "INTT")
    with pytest.raises(ValidationException, match=r"columns of given rows are stored; \[twice\] of the schema are not"):
        env.from_elements([(1,)], computed)
    with pytest.raises(ValidationException, match=r"names with types, a type or a list of names, but is 5"):
        env.from_elements([(1,)], 5)  # type: ignore[arg-type]  # what is tested


def test_from_elements_takes_many_forms() -> None:
    from dataclasses import dataclass

    @dataclass
    class Person:
        name: str
        age: int

    env = TableEnvironment.create()
    by_object = env.from_elements([Person("Ada", 1)])
    assert repr(by_object.get_resolved_schema()) == "(`name` STRING NOT NULL, `age` INT NOT NULL)"
    for same in ([{"name": "Ada", "age": 1}], [Row(name="Ada", age=1)]):
        assert env.from_elements(same).query_operation is by_object.query_operation
    assert env.from_elements([("Ada", 1)]).get_schema().get_field_names() == ["_1", "_2"]
    assert env.from_elements([1, None], DataTypes.INT()).get_schema().get_field_names() == ["f0"]
    mixed = env.from_elements([(1,), (2.5,), (None,)], ["n"])
    assert repr(mixed.get_resolved_schema()) == "(`n` DOUBLE)"


def test_anonymous_data_has_no_text() -> None:
    pandas = pytest.importorskip("pandas")
    table = TableEnvironment.create().from_pandas(pandas.DataFrame({"a": [1, 2]}))
    with pytest.raises(TableException, match=r"anonymous Arrow table.*create_temporary_view\('name', table\)"):
        table.as_serializable_string()
    assert "(none: " in table.explain()


def test_the_mode_is_that_of_the_settings() -> None:
    settings = EnvironmentSettings.in_streaming_mode()
    assert settings.is_streaming_mode()
    assert "streaming mode" in repr(settings)
    assert not EnvironmentSettings.new_instance().in_streaming_mode().in_batch_mode().build().is_streaming_mode()
    with pytest.raises(
        ValidationException, match=r"The mode of an environment is chosen when it is created: .*streams"
    ):
        TableEnvironment.create(settings).get_config().set("execution.runtime-mode", "streaming")


def test_configuration() -> None:
    config = TableEnvironment.create().get_config()
    assert config.get_local_timezone() == "UTC"
    config.set_local_timezone("Europe/Berlin")
    assert config.to_map() == {"table.local-time-zone": "Europe/Berlin"}
    with pytest.raises(ValidationException, match=r"no time zone 'Europe/Berln'. .*Did you mean 'Europe/Berlin'"):
        config.set_local_timezone("Europe/Berln")


def test_tables_of_other_environments_are_refused(env: TableEnvironment) -> None:
    other = TableEnvironment.create().from_elements([(1,)], ["a"])
    with pytest.raises(ValidationException, match=r"of another"):
        env.from_path("people").join(other)
    with pytest.raises(ValidationException, match=r"takes a table of this environment"):
        env.create_temporary_view("x", other)


def test_print_schema(env: TableEnvironment, capsys: pytest.CaptureFixture[str]) -> None:
    env.from_path("people").print_schema()
    assert capsys.readouterr().out == "(\n  `id` INT,\n  `Name` STRING\n)\n"


def _takers_of_text(of: type) -> list[str]:
    """Return the public methods whose first parameter is a text."""
    found = []
    for name, method in inspect.getmembers(of, callable):
        if name.startswith("_"):
            continue
        parameters = [p for p in inspect.signature(method).parameters.values() if p.name != "self"]
        if parameters and parameters[0].annotation == "str" and parameters[0].kind is not parameters[0].VAR_POSITIONAL:
            found.append(name)
    return found


def _call(of: object, name: str, given: object) -> None:
    """Call a method with a value first, and with texts for the other required arguments."""
    method = getattr(of, name)
    parameters = list(inspect.signature(method).parameters.values())[1:]
    required = [p for p in parameters if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD]
    named = {p.name: "id" for p in parameters if p.default is p.empty and p.kind is p.KEYWORD_ONLY}
    table = TableEnvironment.create().from_elements([(1,)], ["id"])
    method(given, *[table if "table" in p.name or "view" in p.name else "x" for p in required], **named)


@pytest.mark.parametrize("given", [5, None, b"x", ["a"], 2.5])
@pytest.mark.parametrize("name", _takers_of_text(TableEnvironment))
def test_a_name_that_is_no_text_is_refused_by_every_method(env: TableEnvironment, name: str, given: object) -> None:
    # A pattern, an extension or a variable may be left out.
    with contextlib.suppress(TableException):
        _call(env, name, given)
        assert given is None, f"{name} accepts {given!r}"


def test_many_methods_take_a_text() -> None:
    assert {"from_path", "create_view", "drop_table", "update", "execute_sql"} <= set(_takers_of_text(TableEnvironment))


@pytest.mark.parametrize("source", ["from_pandas", "from_arrow", "from_spark", "from_elements"])
@pytest.mark.parametrize("given", [5, None, "people"])
def test_what_holds_no_rows_is_refused_by_name(env: TableEnvironment, source: str, given: object) -> None:
    with pytest.raises(ValidationException, match=f"{source} takes .*, but was given {given!r}"):
        getattr(env, source)(given)


def test_the_outer_column_is_named_by_a_text(env: TableEnvironment) -> None:
    with pytest.raises(ValidationException, match=r"outer takes the name of a column, outer\('id'\), but was given 5"):
        env.from_path("people").outer(5)  # type: ignore[arg-type]  # what is tested
