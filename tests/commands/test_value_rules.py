"""Defaults, generated columns and constraints: declared fluently, and checked against constants."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tableapi import Schema, TableDescriptor, TableEnvironment
from tableapi.exceptions import TableException, ValidationException
from tableapi.expressions import col, current_timestamp, lit

_SCHEMA = (
    Schema.new_builder()
    .column("id", "BIGINT NOT NULL")
    .generated_as_identity(start=10, step=5)
    .column("amount", "DECIMAL(10, 2) NOT NULL")
    .with_default(1)
    .column("state", "STRING")
    .with_default("new")
    .with_comment("where it is")
    .column("at", "TIMESTAMP_LTZ")
    .with_default(current_timestamp())
    .column("twice", "DECIMAL(12, 2)")
    .generated_as(col("amount") * 2)
    .column("owner", "INT")
    .primary_key("id")
    .check(col("amount") > 0, name="positive")
    .check("state IN ('new', 'old') AND (owner > 5 OR owner IS NULL)")
    .unique("state", "owner", name="once")
    .foreign_key("owner", "sales.people", "id", name="known")
    .build()
)
_TEXT = """
CREATE TABLE sales.things (
  id BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY (START WITH 10 INCREMENT BY 5),
  amount DECIMAL(10, 2) NOT NULL DEFAULT 1,
  state STRING DEFAULT 'new' COMMENT 'where it is',
  at TIMESTAMP DEFAULT current_timestamp(),
  twice DECIMAL(12, 2) GENERATED ALWAYS AS (amount * 2),
  owner INT,
  PRIMARY KEY (id),
  CONSTRAINT positive CHECK (amount > 0),
  CHECK (state IN ('new', 'old') AND (owner > 5 OR owner IS NULL)),
  CONSTRAINT once UNIQUE (state, owner),
  CONSTRAINT known FOREIGN KEY (owner) REFERENCES sales.people (id)
) USING delta
"""


@functools.cache
def _environment() -> TableEnvironment:
    te = TableEnvironment.create()
    te.declare("things", _SCHEMA)
    te.declare("given", {"id": "BIGINT", "amount": "DECIMAL(10, 2)", "owner": "INT"})
    return te


def test_a_schema_with_rules_is_its_statement() -> None:
    te = _environment()
    made = te.table_statement("sales.things", TableDescriptor.for_connector("delta").schema(_SCHEMA).build())
    assert made.get_command() is te.sql_statement(_TEXT).get_command()
    assert Schema.new_builder().from_schema(_SCHEMA).build() == _SCHEMA


_WRONG = {
    "INSERT INTO things (amount) ^VALUES (-5)": "The row violates the CHECK constraint positive of "
    "spark_catalog.default.things, `amount` > 0: amount = -5. Nothing was written.",
    "INSERT INTO things (amount, owner) ^VALUES (2, 7), (0, 8), (1, 9)": "Row 2 of VALUES violates the CHECK",
    "INSERT INTO things (amount) ^SELECT -1": "The row violates the CHECK constraint positive",
    "INSERT INTO things (owner) ^VALUES (5)": "state = 'new', owner = 5",
    "INSERT INTO things (amount, state) ^SELECT id, 'lost' FROM given": "state = 'lost'",
    "INSERT INTO things (amount) ^VALUES (NULL)": "gives NULL to the column amount of spark_catalog.default.things",
    "INSERT INTO things (id, owner) ^VALUES (1, 7)": "id is an identity column of",
    "INSERT INTO things BY NAME ^SELECT 1 AS twice": "twice is a generated column of",
    "UPDATE things SET ^amount = -1 WHERE id = 3": "UPDATE violates the CHECK constraint positive",
    "UPDATE things SET ^twice = 3": "twice is a generated column",
    "UPDATE things SET ^state = 'lost'": "state = 'lost'",
    "MERGE INTO things t USING given g ON t.id = g.id WHEN MATCHED THEN UPDATE SET ^amount = 0": "WHEN MATCHED vio",
    "MERGE INTO things t USING given g ON t.id = g.id WHEN NOT MATCHED THEN ^INSERT (owner) VALUES (3)": "owner = 3",
    "MERGE INTO things t USING given g ON t.id = g.id WHEN NOT MATCHED THEN ^INSERT (id) VALUES (3)": "identity column",
}


@pytest.mark.parametrize("marked", _WRONG)
def test_constants_that_violate_a_rule_are_found_where_they_are(marked: str) -> None:
    text = marked.replace("^", "")
    with pytest.raises(ValidationException) as caught:
        _environment().sql_statement(text)
    assert _WRONG[marked] in str(caught.value)
    assert f"line 1, column {marked.index('^') + 1}:" in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "INSERT INTO things (owner) VALUES (7), (NULL)",
        "INSERT INTO things (amount, owner) SELECT amount, owner FROM given",
        "INSERT INTO things (amount, state, at) VALUES (1, DEFAULT, NULL)",
        "INSERT INTO things (state) VALUES (NULL)",
        "UPDATE things SET amount = DEFAULT, owner = NULL",
        "UPDATE things SET amount = amount - 1, state = upper(state)",
        "UPDATE things SET twice = DEFAULT",
        "MERGE INTO things t USING given g ON t.id = g.id WHEN NOT MATCHED THEN INSERT (owner) VALUES (g.owner)",
    ],
)
def test_what_may_hold_is_left_to_the_engine(text: str) -> None:
    command = _environment().sql_statement(text).get_command()
    assert _environment().sql_statement(command.as_serializable_string()).get_command() is command


def test_fluent_statements_are_checked_too() -> None:
    te = _environment()
    given = te.from_path("given")
    for make in (
        lambda: te.update("things").set(amount=-3).all_rows().get_command(),
        lambda: te.merge_into("things", "given", on="id").when_matched().update(amount=lit(0)),
        lambda: te.from_elements([(-1,)], {"amount": "INT"}).insert_into("things", columns=["amount"]).get_command(),
        lambda: given.select(lit(-1)).insert_into("things", columns=["amount"]).get_command(),
    ):
        with pytest.raises(ValidationException, match="violates the CHECK constraint positive") as caught:
            make()
        assert caught.value.condition == "CHECK_CONSTRAINT_VIOLATION"


def test_a_changed_declaration_keeps_the_rules_of_other_columns() -> None:
    from tests.commands.tables import environment

    te = environment()
    te.declare("things", _SCHEMA)
    text = te.table_statement("things").as_serializable_string()
    assert te.sql_statement(text).get_command() is te.table_statement("things").get_command()
    te.execute_sql("ALTER TABLE things DROP COLUMN owner")
    after = te.table_statement("things").as_serializable_string()
    assert "CONSTRAINT `positive` CHECK" in after
    assert "UNIQUE" not in after
    with pytest.raises(ValidationException, match="violates the CHECK constraint positive"):
        te.sql_statement("UPDATE things SET amount = 0")


_MISTAKES: dict[str, tuple[Callable[[], Any], str]] = {
    "no column": (lambda: Schema.new_builder().with_default(1), "for the column before it, and there is none"),
    "computed column": (
        lambda: Schema.new_builder().column("a", "INT").column_by_expression("b", "a").with_default(1),
        "'b' is not stored",
    ),
    "two rules": (
        lambda: Schema.new_builder().column("a", "INT").with_default(1).generated_as("1"),
        "'a' has DEFAULT 1 already",
    ),
    "identity": (lambda: Schema.new_builder().column("a", "STRING").generated_as_identity(), "BIGINT or another"),
    "step": (lambda: Schema.new_builder().column("a", "INT").generated_as_identity(step=0), "was given step 0"),
    "unknown column": (
        lambda: Schema.new_builder().column("owner", "INT").unique("ower").build(),
        "Did you mean 'owner'",
    ),
    "equal names": (
        lambda: Schema.new_builder().column("a", "INT").check("a > 0", name="c").unique("a", name="C"),
        "a constraint 'C' already",
    ),
    "numbers": (
        lambda: Schema.new_builder().column("a", "INT").foreign_key("a", "t", ["b", "c"]),
        "has 1 columns, and refers to 2",
    ),
    "no condition": (lambda: Schema.new_builder().column("a", "INT").check(True), "takes an expression or SQL text"),
    "no names": (lambda: Schema.new_builder().column("a", "INT").unique(), "takes names of columns"),
    "type of a default": (
        lambda: _environment().declare("u", Schema.new_builder().column("a", "INT").with_default("x").build()),
        "The DEFAULT of the column 'a' is of type STRING NOT NULL",
    ),
    "condition": (
        lambda: _environment().declare("u", Schema.new_builder().column("a", "INT").check("a + 1").build()),
        "A CHECK constraint requires a condition of type BOOLEAN",
    ),
}


@pytest.mark.parametrize("name", _MISTAKES)
def test_mistakes_in_rules_are_named(name: str) -> None:
    make, message = _MISTAKES[name]
    with pytest.raises(ValidationException) as caught:
        make()
    assert message in str(caught.value)


def test_only_tables_of_spark_have_rules(tmp_path: Path) -> None:
    te = _environment()
    files = TableDescriptor.for_connector("filesystem").option("path", str(tmp_path)).format("csv").schema(_SCHEMA)
    for make in (te.from_descriptor, lambda of: te.create_temporary_table("d", of)):
        with pytest.raises(TableException, match="constraints, which only tables in a catalog of Spark have"):
            make(files.build())
