"""FROM_CHANGELOG, TO_CHANGELOG and the current rows of a changelog: how they are built, and what is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tableapi import EnvironmentSettings, Row, Schema, Table, TableDescriptor, TableEnvironment, TableException
from tableapi.exceptions import FunctionNotExistException, ValidationException
from tableapi.expressions import col, descriptor, map_
from tableapi.process_functions import ChangelogMode, ProcessTableFunction, TableAsSet
from tableapi.testing import ProcessTableFunctionHarness
from tableapi.window import Over
from tests.counting import calls

KINDS = {"c, r": "INSERT", "u": "UPDATE_AFTER", "d": "DELETE"}
SQL_KINDS = "MAP('c, r', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE')"


@pytest.fixture
def te() -> TableEnvironment:
    """An environment with a feed of codes, and two tables of a database."""
    made = TableEnvironment.create()
    made.declare("feed", {"code": "STRING", "id": "BIGINT", "name": "STRING"})
    where = "WITH ('connector' = 'jdbc', 'url' = 'jdbc:postgresql://db/x', 'table-name' = 't')"
    made.execute_sql(f"CREATE TEMPORARY TABLE keyed (id BIGINT, name STRING, PRIMARY KEY (id) NOT ENFORCED) {where}")
    made.execute_sql(f"CREATE TEMPORARY TABLE keyless (id BIGINT, name STRING) {where}")
    return made


def _changes(te: TableEnvironment, *, stream: bool = False) -> Table:
    return te.from_path("feed", stream=stream).from_changelog(op="code", op_mapping=KINDS)


def test_all_forms_are_one_query(te: TableEnvironment) -> None:
    feed = te.from_path("feed")
    made = feed.from_changelog(op="code", op_mapping=KINDS)
    written_map = map_("c, r", "INSERT", "u", "UPDATE_AFTER", "d", "DELETE")
    as_in_pyflink = feed.from_changelog(descriptor("code").as_argument("op"), written_map.as_argument("op_mapping"))
    in_sql = te.sql_query(
        f"SELECT * FROM from_changelog(INPUT => TABLE feed, OP_MAPPING => {SQL_KINDS}, OP => DESCRIPTOR(code)) AS c"
    )
    of_flink = te.sql_query(
        f"SELECT * FROM FROM_CHANGELOG(TABLE feed, DESCRIPTOR(code), {SQL_KINDS.replace('(', '[').replace(')', ']')})",
        dialect="FLINK",
    )
    read_back = te.sql_query(made.as_serializable_string())
    for other in (as_in_pyflink, in_sql, of_flink, read_back):
        assert other.query_operation is made.query_operation
    assert made.get_resolved_schema().names == ("op", "id", "name")


def test_changes_go_back_to_codes(te: TableEnvironment) -> None:
    made = _changes(te).to_changelog(op="action", op_mapping={"INSERT, UPDATE_AFTER": "put", "DELETE": "drop"})
    in_sql = te.sql_query(
        f"SELECT * FROM TO_CHANGELOG((SELECT * FROM FROM_CHANGELOG(TABLE feed, DESCRIPTOR(code), {SQL_KINDS})), "
        "DESCRIPTOR(action), MAP('INSERT, UPDATE_AFTER', 'put', 'DELETE', 'drop'))"
    )
    assert made.query_operation is in_sql.query_operation
    assert made.get_resolved_schema().names == ("action", "id", "name")
    # Without a mapping, the kinds are the codes; without kinds, all rows are insertions.
    assert _changes(te).to_changelog().query_operation is _changes(te).query_operation
    assert "'INSERT' AS `op`" in te.from_path("feed").to_changelog().as_serializable_string()


@dataclass
class Named:
    """A row of a name."""

    name: str | None


class Repeated(ProcessTableFunction):
    """Yield each row as a change of its name."""

    def get_output_changelog_mode(self) -> ChangelogMode:
        return ChangelogMode.upsert()

    def eval(self, row: TableAsSet[Row]) -> Iterator[Named]:
        yield Named(row.name)


class Kinds(ProcessTableFunction):
    """Yield the kind of each row."""

    def get_input_changelog_mode(self) -> ChangelogMode:
        return ChangelogMode.upsert()

    def eval(self, row: TableAsSet[Row]) -> Iterator[str]:
        yield row.get_row_kind().name


def test_a_process_table_function_reads_the_kinds(te: TableEnvironment) -> None:
    harness = ProcessTableFunctionHarness(_changes(te).partition_by(col("id")).process(Kinds))
    harness.process_element("DELETE", 1, "a")
    assert list(map(tuple, harness.get_output())) == [(1, "DELETE")]
    with pytest.raises(ValidationException, match="is 'd'; it is one of"):
        harness.process_element("d", 1, "a")


INVALID: list[tuple[Callable[[TableEnvironment], Any], str]] = [
    (
        lambda te: te.from_path("feed").from_changelog(),
        r"reads the codes from the column 'op' if OP names no other one; the table has \[code, id",
    ),
    (lambda te: te.from_path("feed").from_changelog(op="cod"), r"Cannot resolve field \[cod\].* Did you mean 'code'"),
    (lambda te: te.from_path("feed").from_changelog(op="id"), "reads codes from a STRING, but id is of type BIGINT"),
    (
        lambda te: te.from_path("feed").from_changelog(op=3),
        "op of from_changelog is the name of a column, but was given 3",
    ),  # type: ignore[arg-type]  # a wrong argument
    (
        lambda te: te.from_path("feed").from_changelog(op="code", op_mapping={"c": "INSRT"}),
        "has the kind 'INSRT'; .* Did you mean 'INSERT'",
    ),
    (lambda te: te.from_path("feed").from_changelog(op="code", op_mapping={"c, c": "INSERT"}), "has the key 'c' twice"),
    (
        lambda te: te.from_path("feed").from_changelog(op="code", op_mapping={"c,": "INSERT"}),
        "has an empty key in 'c,'",
    ),
    (
        lambda te: te.from_path("feed").from_changelog(op="code", op_mapping={}),
        r"must be a constant MAP of strings.* It is map\(\)",
    ),
    (
        lambda te: te.from_path("feed").from_changelog(op="code", op_mapping=["c"]),
        r"is a dictionary of strings.* was given \['c'\]",
    ),  # type: ignore[arg-type]  # a wrong argument
    (
        lambda te: te.from_path("feed").select(col("name").alias("op"), col("code")).from_changelog(op="code"),
        "makes the column 'op', and the table has another column",
    ),
    (
        lambda te: te.from_path("feed").to_changelog(op="name"),
        "makes the column 'name', and the table has another column",
    ),
    (
        lambda te: te.from_path("feed").to_changelog(op_mapping={"DELETE": "d"}),
        "has no code for INSERT, and all rows .* are insertions",
    ),
    (lambda te: _changes(te).to_changelog(op_mapping={"insert": "i"}), "has the kind 'insert'"),
    (
        lambda te: te.from_path("feed").apply_changelog(col("id"), order_by=col("name")),
        r"has the STRING column 'op'; the table has \[code",
    ),
    (lambda te: _changes(te).apply_changelog(order_by=col("name")), "needs the columns that identify a row"),
    (lambda te: _changes(te).apply_changelog(col("id"), order_by=[]), "needs order_by"),
    (
        lambda te: _changes(te, stream=True).apply_changelog(col("id"), order_by=col("name")),
        "The changes of a stream do not end",
    ),
    (
        lambda te: (
            te.from_path("feed", stream=True)
            .group_by(col("id"))
            .select(col("id"), col("name").count.alias("n"))
            .to_changelog()
        ),
        "The rows of this stream change.*Write the changed rows to a table with a primary key",
    ),
    (
        lambda te: te.sql_query("SELECT * FROM FROM_CHANGELOG(TABLE feed PARTITION BY id)"),
        r"neither PARTITION BY nor ORDER BY(.|\n)*column 30",
    ),
    (
        lambda te: te.sql_query("SELECT * FROM FROM_CHANGELOG(TABLE feed, OPP => DESCRIPTOR(code))"),
        "no argument named 'OPP'. Did you mean 'OP'",
    ),
]


@pytest.mark.parametrize(("build", "message"), INVALID, ids=[message[:40] for _, message in INVALID])
def test_what_is_invalid(te: TableEnvironment, build: Callable[[TableEnvironment], Any], message: str) -> None:
    with pytest.raises(ValidationException, match=message):
        build(te)


def test_a_call_by_name() -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    te = TableEnvironment.create(settings)
    feed = te.sql_query("SELECT 'INSERT' AS code, 1 AS id")
    called = te.from_call("FROM_CHANGELOG", feed, OP=descriptor("code"))
    assert called.query_operation is feed.from_changelog(op="code").query_operation
    assert feed.process("to_changelog").query_operation is feed.to_changelog().query_operation
    with pytest.raises(
        FunctionNotExistException, match=r"FROM_CHANGELOG is no function of expressions: it takes a table"
    ):
        te.sql_query("SELECT FROM_CHANGELOG(1)")


def test_aggregates_count_no_retractions(te: TableEnvironment) -> None:
    changes = _changes(te)
    refused = "the aggregates would count a row that is retracted like any other"
    for rows in (changes, changes.select(col("id"), col("name")), changes.filter(col("id") > 1)):
        with pytest.raises(ValidationException, match=refused):
            rows.group_by(col("id")).select(col("id"), col("name").count.alias("n"))
    with pytest.raises(ValidationException, match=rf"{refused}(.|\n)*WHERE op = 'INSERT'"):
        te.sql_query("SELECT COUNT(*) FROM FROM_CHANGELOG(TABLE feed, DESCRIPTOR(code))")
    # Who reads the kinds says what counts.
    assert changes.filter(col("op") == "INSERT").group_by(col("id")).select(col("name").count)
    assert changes.group_by(col("op")).select(col("op"), col("name").count.alias("n"))
    assert changes.apply_changelog(col("id"), order_by=col("name")).group_by(col("name")).select(col("id").count)
    assert te.sql_query(
        "SELECT id, SUM(IF(op = 'DELETE', -1, 1)) AS n FROM FROM_CHANGELOG(TABLE feed, DESCRIPTOR(code)) GROUP BY id"
    )
    # Whether a declared table has changes is not known.
    assert te.declare("log", {"op": "STRING", "id": "BIGINT"}).group_by(col("id")).select(col("id"))


WITH = "WITH c AS (SELECT * FROM FROM_CHANGELOG(TABLE feed, DESCRIPTOR(code)))"
TAKEN_FOR_ROWS = [
    ("SELECT DISTINCT id FROM c", "DISTINCT would take a row that is retracted for a row of the table"),
    ("SELECT id FROM c ORDER BY name DESC LIMIT 3", "LIMIT would take a row that is retracted"),
    ("SELECT id FROM c ORDER BY name OFFSET 3", "OFFSET would take a row that is retracted"),
    ("SELECT id FROM c UNION SELECT tid FROM t", "UNION would take a row that is retracted"),
    ("SELECT tid FROM t INTERSECT SELECT id FROM c", "INTERSECT would take a row that is retracted"),
    ("SELECT tid FROM t EXCEPT ALL SELECT id FROM c", "MINUS ALL would take a row that is retracted"),
    ("SELECT * FROM t LEFT JOIN c ON id = tid", "would take a row that is retracted for a match"),
    ("SELECT * FROM c RIGHT JOIN t ON id = tid", "would take a row that is retracted for a match"),
    ("SELECT * FROM c FULL JOIN t ON id = tid", "would take a row that is retracted for a match"),
    ("SELECT * FROM t LEFT JOIN LATERAL (SELECT name FROM c WHERE id = tid) ON TRUE", "retracted for a match"),
    ("SELECT * FROM c a JOIN c b ON a.id = b.id", "a join of changes with changes would match rows"),
    ("SELECT * FROM t ASOF JOIN c MATCH_CONDITION (tid >= id)", "would choose a row that is retracted"),
    ("SELECT * FROM t JOIN c APPROX NEAREST 2 BY DISTANCE id - tid", "would choose a row that is retracted"),
    ("SELECT COUNT(*) FROM c JOIN t ON id = tid", "the aggregates would count a row that is retracted"),
    ("SELECT COUNT(*) FROM (SELECT id FROM c UNION ALL SELECT tid FROM t)", "the aggregates would count"),
    ("SELECT * FROM (SELECT id, name FROM c) PIVOT (COUNT(id) FOR name IN ('a'))", "the aggregates would count"),
    ("SELECT SUM(id) OVER (PARTITION BY name) FROM c", "a window over them would see a row that is retracted"),
    ("SELECT * FROM c QUALIFY ROW_NUMBER() OVER (ORDER BY id) = 1", "a window over them would see a row"),
    ("SELECT * FROM t WHERE tid IN (SELECT id FROM c)", "the subquery would find a row that is retracted"),
    ("SELECT * FROM t WHERE NOT EXISTS (SELECT * FROM c WHERE id = tid)", "the subquery would find a row"),
    ("SELECT (SELECT name FROM c WHERE id = 1) AS n FROM t", "the subquery would find a row"),
    ("SELECT * FROM t LEFT ANTI JOIN c ON id = tid", "the subquery would find a row"),
]
KEPT_APART = [
    "SELECT DISTINCT op, id FROM c",
    "SELECT op, id FROM c ORDER BY id LIMIT 3",
    "SELECT id FROM c ORDER BY id",
    "SELECT id FROM c UNION ALL SELECT tid FROM t",
    "SELECT op, id FROM c INTERSECT SELECT 'INSERT', tid FROM t",
    "SELECT DISTINCT id FROM c WHERE op = 'INSERT'",
    "SELECT * FROM c JOIN t ON id = tid",
    "SELECT * FROM t JOIN c ON id = tid",
    "SELECT * FROM c LEFT JOIN t ON id = tid",
    "SELECT * FROM c LEFT SEMI JOIN t ON id = tid",
    "SELECT * FROM c WHERE id NOT IN (SELECT tid FROM t)",
    "SELECT * FROM t LEFT JOIN c ON id = tid AND op = 'INSERT'",
    "SELECT * FROM t LEFT JOIN (SELECT * FROM c WHERE op = 'INSERT') c ON id = tid",
    "SELECT * FROM c a JOIN c b ON a.id = b.id AND b.op = 'INSERT'",
    "SELECT * FROM t ASOF JOIN (SELECT * FROM c WHERE op <> 'UPDATE_BEFORE') c MATCH_CONDITION (tid >= id)",
    "SELECT op, COUNT(*) AS n FROM c JOIN t ON id = tid GROUP BY op",
    "SELECT op, SUM(id) OVER (PARTITION BY op) AS total FROM c",
    "SELECT LAG(op) OVER (PARTITION BY id ORDER BY name) AS before FROM c",
    "SELECT id FROM c WHERE op <> 'UPDATE_BEFORE' QUALIFY ROW_NUMBER() OVER (PARTITION BY id ORDER BY name) = 1",
    "SELECT * FROM t WHERE EXISTS (SELECT 1 FROM c WHERE id = tid AND op = 'INSERT')",
    "SELECT * FROM t WHERE ('INSERT', tid) IN (SELECT op, id FROM c)",
    "SELECT (SELECT op FROM c WHERE id = 1) AS kind FROM t",
    "SELECT e.x FROM c, LATERAL EXPLODE(SPLIT(name, ',')) AS e(x)",
]


@pytest.mark.parametrize(("text", "problem"), TAKEN_FOR_ROWS, ids=[text for text, _ in TAKEN_FOR_ROWS])
def test_a_retracted_row_is_taken_for_no_row(te: TableEnvironment, text: str, problem: str) -> None:
    te.declare("t", {"tid": "BIGINT", "city": "STRING"})
    with pytest.raises(ValidationException, match=rf"{problem}(.|\n)*WHERE op = 'INSERT'(.|\n)*\^"):
        te.sql_query(f"{WITH} {text}")


@pytest.mark.parametrize("text", KEPT_APART)
def test_changes_that_stay_changes_and_kinds_that_are_read(te: TableEnvironment, text: str) -> None:
    te.declare("t", {"tid": "BIGINT", "city": "STRING"})
    made = te.sql_query(f"{WITH} {text}")
    # What was accepted is accepted in both layouts.
    nested, merged = (te.sql_query(made.as_serializable_string(layout=layout)) for layout in ("NESTED", "MERGED"))
    assert nested.query_operation is made.query_operation
    assert merged.query_operation.normalize() is made.query_operation.normalize()


def test_fluent_operations_take_no_retracted_row(te: TableEnvironment) -> None:
    changes = _changes(te)
    ids, others = changes.select(col("id")), te.declare("t", {"tid": "BIGINT"})
    refused: list[tuple[Callable[[], Any], str]] = [
        (ids.distinct, "distinct would take a row that is retracted"),
        (lambda: ids.limit(3), "fetch would take"),
        (lambda: others.union(ids), "union would take"),
        (lambda: others.left_outer_join(ids, col("id") == col("tid")), "retracted for a match"),
        (lambda: ids.add_columns(col("id").sum.over(Over.partition_by(col("id"))).alias("n")), "a window over them"),
        (lambda: others.filter(col("tid").in_(ids)), "the subquery would find"),
    ]
    for build, problem in refused:
        with pytest.raises(ValidationException, match=rf"{problem}.*filter\(col\('op'\) == 'INSERT'\)"):
            build()
    # Rows that cannot be retracted are rows.
    inserted = changes.filter(col("op") == "INSERT").select(col("id"))
    assert inserted.distinct().union(others).left_outer_join(others, col("id") == col("tid")).limit(3)


def test_changes_of_a_function_are_followed(te: TableEnvironment) -> None:
    yielded = _changes(te).partition_by(col("id")).process(Repeated)
    with pytest.raises(ValidationException, match="distinct would take a row that is retracted"):
        yielded.select(col("name")).distinct()
    assert yielded.distinct()
    # A function that yields insertions alone reads the changes.
    assert _changes(te).partition_by(col("id")).process(Kinds).select(col("id")).distinct()


def test_the_cost_of_a_long_chain_of_changes_is_linear(te: TableEnvironment) -> None:
    def build(steps: int) -> None:
        changes = _changes(te)
        for number in range(steps):
            changes = changes.filter(col("id") > number).union_all(changes).limit(1000 + number)

    build(5)
    assert calls(lambda: build(80)) < 5 * calls(lambda: build(20))


SINKS: list[tuple[Callable[[TableEnvironment], Any], str]] = [
    (
        lambda te: _changes(te).insert_into("keyed"),
        "Changes are applied to a table by a stream; .* changes.apply_changelog",
    ),
    (lambda te: _changes(te, stream=True).insert_into("keyless"), "declared without a primary key.*NOT ENFORCED"),
    (lambda te: _changes(te, stream=True).insert_into("keyed", overwrite=True), "and overwrite none"),
    (
        lambda te: _changes(te, stream=True).select(col("op"), col("name")).insert_into("keyed", columns=["name"]),
        r"no value for \[id\] of its primary key",
    ),
    (
        lambda te: _changes(te).select(col("id"), col("name")).insert_into("keyed"),
        "the insert would take a row that is",
    ),
    (
        lambda te: te.execute_sql(f"INSERT INTO keyed {WITH} SELECT id, name FROM c"),
        "INSERT would take a row that is retracted",
    ),
    (
        lambda te: _changes(te, stream=True).select(col("op"), col("name"), col("id")).insert_into("keyed"),
        "column 0 .*name.* cannot be stored as",
    ),
]


@pytest.mark.parametrize(("build", "message"), SINKS, ids=[message[:40] for _, message in SINKS])
def test_sinks_that_apply_no_changes(
    te: TableEnvironment, build: Callable[[TableEnvironment], Any], message: str
) -> None:
    with pytest.raises(ValidationException, match=message):
        build(te)


def test_files_take_no_changes(te: TableEnvironment) -> None:
    schema = Schema.new_builder().column("id", "BIGINT").column("name", "STRING").build()
    files = TableDescriptor.for_connector("filesystem").format("json").option("path", "/nowhere").schema(schema)
    te.create_temporary_table("files", files.build())
    with pytest.raises(ValidationException, match="single rows of it cannot be replaced, so that no change can be"):
        _changes(te, stream=True).insert_into("files")
    # A table with the column keeps the changes as rows.
    schema = Schema.new_builder().column("op", "STRING").from_schema(schema).build()
    te.create_temporary_table("log", files.schema(schema).build())
    assert "applies changes" not in _changes(te, stream=True).insert_into("log").explain()


def test_an_insert_of_changes(te: TableEnvironment) -> None:
    pipeline = _changes(te, stream=True).insert_into("keyed")
    assert "applies changes: [true]" in pipeline.explain()
    with pytest.raises(TableException, match="which no INSERT of Spark does"):
        pipeline.get_command()
    # By name, and with the columns in another order.
    assert (
        _changes(te, stream=True).select(col("name"), col("op"), col("id")).insert_into("keyed", columns=["name", "id"])
    )
