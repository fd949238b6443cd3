"""Statements as Python code: running it gives the same command, by methods where the fluent API has the statement."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from tableapi import TableEnvironment
from tableapi.exceptions import ValidationException
from tableapi.table_statement import TableStatement
from tests.cases import every
from tests.commands.tables import dialect_of, environment, name_of, statements

_environment = functools.cache(environment)


@functools.cache
def _in_spark() -> TableEnvironment:
    te = TableEnvironment.create()
    te.declare("s.orders", {"id": "BIGINT", "day": "DATE", "amount": "INT"}, partitioned_by="day")
    return te


def _run(code: str, te: TableEnvironment) -> Any:
    scope: dict[str, Any] = {"env": te}
    exec(code, scope)
    return scope["statement"]


@every("statement", statements, name_of)
def test_code_makes_the_statement(statement: tuple[str, str]) -> None:
    te = _environment()
    made = te.sql_statement(statement[1], dialect=dialect_of(statement))
    code = made.to_python()
    assert _run(code, te).get_command() is made.get_command(), code


_CODE = {
    "UPDATE orders SET amount = amount * 2, address.town = 'x' WHERE id > 3": """
statement = (
    env.update("orders")
    .set({"amount": col("amount") * 2, "address.town": "x"})
    .where(col("id") > 3)
)
""",
    "UPDATE orders SET amount = 2 WHERE id > 3": """
statement = env.update("orders").set(amount=2).where(col("id") > 3)
""",
    "DELETE FROM orders": """
statement = env.delete_from("orders").all_rows()
""",
    "MERGE INTO orders t USING updates s ON t.id = s.id WHEN MATCHED AND s.amount IS NULL THEN DELETE "
    "WHEN MATCHED THEN UPDATE SET amount = t.amount + s.amount WHEN NOT MATCHED THEN INSERT (id, amount) "
    "VALUES (s.id, 0)": """
statement = (
    env.merge_into("orders", "updates", on=lambda target, source: target.id == source.id)
    .when_matched(lambda target, source: source.amount.is_null)
    .delete()
    .when_matched()
    .update(amount=lambda target, source: target.amount + source.amount)
    .when_not_matched()
    .insert(id=lambda target, source: source.id, amount=0)
)
""",
    "CREATE TABLE t (id BIGINT GENERATED ALWAYS AS IDENTITY (START WITH 5), state STRING DEFAULT 'new' COMMENT 'c', "
    "PRIMARY KEY (id), CONSTRAINT known CHECK (state <> '')) USING delta CLUSTER BY (id) TBLPROPERTIES ('a' = 'b')": """
statement = env.table_statement(
    "t",
    TableDescriptor.for_connector("delta")
    .schema(
        Schema.new_builder()
        .column("id", "BIGINT")
        .generated_as_identity(start=5)
        .column("state", "STRING")
        .with_default("new")
        .with_comment("c")
        .primary_key("id")
        .check(col("state") != "", name="known")
        .build(),
    )
    .option("a", "b")
    .clustered_by("id")
    .build(),
)
""",
    "CREATE TABLE IF NOT EXISTS big USING iceberg PARTITIONED BY (days(day)) AS SELECT id, day FROM orders": """
statement = env.table_statement(
    "big",
    TableDescriptor.for_connector("iceberg").partitioned_by("days(`day`)").build(),
    query=env.from_path("orders").select(col("id"), col("day")),
    ignore_if_exists=True,
)
""",
    "ALTER TABLE orders ADD COLUMN note STRING DEFAULT 'x' AFTER id": """
statement = env.alter_table("orders").add_column("note", "STRING", default="x", after="id")
""",
    "TRUNCATE TABLE orders": """
statement = env.sql_statement("TRUNCATE TABLE `memory`.`sales`.`orders`")
""",
}


@pytest.mark.parametrize("text", _CODE)
def test_code_is_written_by_the_fluent_api(text: str) -> None:
    code = _environment().sql_statement(text).to_python(line_length=100)
    assert "\n" + code.rpartition("\n\n")[2] == _CODE[text] or code.endswith(_CODE[text]), code


def test_inserts_are_written_over_their_query() -> None:
    te = _in_spark()
    made = te.sql_statement(
        "INSERT INTO s.orders PARTITION (day = DATE '2024-01-01') (id) SELECT id FROM s.orders WHERE amount > 1"
    )
    code = made.to_python()
    assert '.insert_into("s.orders", partition={"day": dt.date(2024, 1, 1)}, columns=["id"])' in code
    assert _run(code, te).get_command() is made.get_command()


def test_a_fluent_statement_has_code_too() -> None:
    te = _environment()
    made = te.update("orders").set(amount=None).all_rows()
    assert isinstance(made, TableStatement)
    assert _run(made.to_python(), te).get_command() is made.get_command()
    with pytest.raises(ValidationException, match="names of Python variables, but was given 'a b'"):
        made.to_python("a b")
