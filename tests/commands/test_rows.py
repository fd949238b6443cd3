"""MERGE, UPDATE and DELETE: fluent statements and SQL give one command, and errors come before anything runs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest

from ir.commands.command import Command
from tableapi import TableEnvironment
from tableapi.exceptions import TableException, ValidationException
from tableapi.expressions import call_sql, col, exists, lit
from tableapi.row_statements import MergeStatement
from tests.commands.tables import environment

_environment = functools.cache(environment)


@pytest.fixture
def te() -> TableEnvironment:
    return _environment()


def _command(te: TableEnvironment, text: str) -> Command:
    return te.sql_statement(text).get_command()


def _merge(te: TableEnvironment) -> MergeStatement:
    return te.merge_into("orders", "updates", on="id")


def test_merge_is_its_sql(te: TableEnvironment) -> None:
    fluent = (
        te.merge_into("orders", te.from_path("updates"), on="id")
        .when_matched(lambda target, source: source.amount.is_null)
        .delete()
        .when_matched(lambda target, source: target.amount < source.amount)
        .update({"address.town": "x"}, amount=lambda target, source: source.amount)
        .when_matched()
        .update_all()
        .when_not_matched(col("amount") > 0)
        .insert(id=col("id"), customer=lambda target, source: source.customer.upper_case)
        .when_not_matched_by_source(col("day").is_null)
        .delete()
        .when_not_matched_by_source()
        .update(customer=lit(None))
    )
    written = """
        MERGE INTO orders t USING updates s ON t.id = s.id
        WHEN MATCHED AND s.amount IS NULL THEN DELETE
        WHEN MATCHED AND t.amount < s.amount THEN UPDATE SET address.town = 'x', amount = s.amount
        WHEN MATCHED THEN UPDATE *
        WHEN NOT MATCHED AND amount > 0 THEN INSERT (id, customer) VALUES (id, UPPER(customer))
        WHEN NOT MATCHED BY SOURCE AND day IS NULL THEN DELETE
        WHEN NOT MATCHED BY SOURCE THEN UPDATE SET customer = NULL
    """
    assert fluent.get_command() is _command(te, written)


def test_on_takes_names_a_condition_or_a_function(te: TableEnvironment) -> None:
    by_names = te.merge_into("orders", "updates", on=["id", "day"]).when_not_matched().insert_all()
    by_function = (
        te.merge_into("orders", "updates", on=lambda t, s: (t["id"] == s["id"]) & (t.day == s.day))
        .when_not_matched()
        .insert_all()
    )
    assert by_names.get_command() is by_function.get_command()
    customers = te.from_path("customers").select(col("id").alias("customer_id"), col("name"))
    by_condition = te.merge_into("orders", customers, on=col("id") == col("customer_id")).when_matched().delete()
    text = (
        "MERGE INTO orders USING (SELECT id AS customer_id, name FROM customers) c ON id = customer_id "
        "WHEN MATCHED THEN DELETE"
    )
    assert by_condition.get_command() is _command(te, text)


def test_steps_do_not_change_the_statement_before(te: TableEnvironment) -> None:
    begun = te.merge_into("orders", "updates", on="id")
    first, second = begun.when_matched().delete(), begun.when_matched().update_all()
    assert first.get_command() is not second.get_command()
    assert "without a clause yet" in repr(begun)


def test_update_and_delete_are_their_sql(te: TableEnvironment) -> None:
    update = te.update("orders").set({"address.town": "x"}, amount=col("amount") * 2).where(col("id") > 3)
    text = "UPDATE orders SET address.town = 'x', amount = amount * 2 WHERE id > 3"
    assert update.get_command() is _command(te, text)
    assert te.update("orders").set(tags=None).all_rows().get_command() is _command(te, "UPDATE orders SET tags = NULL")
    newer = te.from_path("updates")
    orders = te.from_path("orders")
    delete = te.delete_from("orders").where(exists(newer.filter(col("id") == orders.outer("id"))))
    text = "DELETE FROM orders o WHERE EXISTS (SELECT * FROM updates WHERE updates.id = o.id)"
    assert delete.as_serializable_string() == te.sql_statement(text).as_serializable_string()
    assert te.delete_from("orders").all_rows().get_command() is _command(te, "DELETE FROM orders")


_WRONG: dict[str, tuple[Callable[[TableEnvironment], Any], str]] = {
    "equal names": (
        lambda te: te.merge_into("orders", "updates", on=col("id") == col("id")),
        "Both rows have it: write a function of both",
    ),
    "unknown key": (lambda te: te.merge_into("orders", "updates", on="idd"), "Did you mean 'id'?"),
    "SQL as the condition of MERGE": (
        lambda te: te.merge_into("orders", "updates", on="target.id = source.id"),
        "on takes the names of columns, and 'target.id = source.id' is none of [id,",
    ),
    "SQL as the condition of a clause": (
        lambda te: te.merge_into("orders", "updates", on="id").when_matched("amount > 1"),
        "The condition of WHEN MATCHED is an expression, but was given the string 'amount > 1'. Write col('a') > 1; or",
    ),
    "a function of one row in MERGE": (
        lambda te: te.merge_into("orders", "updates", on=lambda row: row.id == 1),
        "takes two arguments, the row of the table and that of the source, and this one takes 1",
    ),
    "a function of rows in DELETE": (
        lambda te: te.delete_from("orders").where(lambda row: row.id > 1),
        "A function of rows is for merge_into. Write an expression over the columns",
    ),
    "tables in SQL of a condition of MERGE": (
        lambda te: te.merge_into("orders", "updates", on=call_sql("t.id = s.id")),
        "t.id begins with the name of a table, and an expression has names of columns alone. Write a function of both",
    ),
    "a table in a name of a clause of MERGE": (
        lambda te: te.merge_into("orders", "updates", on="id").when_matched(col("updates.id") > 1),
        "updates.id begins with the name of a table",
    ),
    "a table in SQL of a condition of UPDATE": (
        lambda te: te.update("orders").set(amount=1).where(call_sql("orders.id > 1")),
        "orders.id begins with the name of a table, and an expression has names of columns alone. Leave that name out",
    ),
    "SQL as the condition of DELETE": (lambda te: te.delete_from("orders").where("id > 3"), "call_sql('id > 3')"),
    "no clause": (lambda te: te.merge_into("orders", "updates", on="id").execute(), "says what happens to rows"),
    "unreachable clause": (
        lambda te: (
            te.merge_into("orders", "updates", on="id").when_matched().delete().when_matched().delete().explain()
        ),
        "can never act",
    ),
    "clause of an equal condition": (
        lambda te: (
            te.merge_into("orders", "updates", on="id")
            .when_matched(lambda t, s: t.amount > 1)
            .delete()
            .when_matched(lambda t, s: t.amount > 1)
            .update_all()
            .explain()
        ),
        "Clause 2, WHEN MATCHED, can never act, because clause 1 has the same condition",
    ),
    "clause whose condition is FALSE": (
        lambda te: te.merge_into("orders", "updates", on="id").when_matched(lit(False)).delete().explain(),
        "Clause 1, WHEN MATCHED, can never act, because its condition is ",
    ),
    "clause whose condition folds to FALSE": (
        lambda te: te.merge_into("orders", "updates", on="id").when_matched(lit(1) > 1).delete().explain(),
        "because its condition is 1 > 1, which is FALSE",
    ),
    "clause of a narrower condition": (
        lambda te: (
            te.merge_into("orders", "updates", on="id")
            .when_matched(lambda t, s: (t.amount > 1) | (s.amount > 5))
            .delete()
            .when_matched(lambda t, s: (s.amount > 5) & (t.id > 3))
            .update_all()
            .explain()
        ),
        "Clause 2, WHEN MATCHED, can never act, because clause 1 takes its rows",
    ),
    "missing column": (
        lambda te: te.merge_into("orders", "updates", on="id").when_not_matched().insert(customer="x"),
        "gives the column id of memory.sales.orders no value, and it must not be NULL",
    ),
    "subquery": (
        lambda te: (
            te.merge_into("orders", "updates", on=lambda t, s: exists(te.from_path("customers")))
            .when_matched()
            .delete()
            .explain()
        ),
        "holds a subquery, which Spark does not allow there",
    ),
    "whole row": (
        lambda te: te.merge_into("orders", "customers", on="id").when_matched().update_all().explain(),
        "UPDATE * needs a column 'customer' in the source, which has [id, name, country]",
    ),
    "unknown column": (lambda te: te.update("orders").set(amout=3), "Did you mean 'amount'?"),
    "unknown field": (lambda te: te.update("orders").set({"address.twon": "x"}), "Did you mean 'town'?"),
    "no fields": (lambda te: te.update("orders").set({"amount.x": 1}), "which has no fields to assign"),
    "type": (lambda te: te.update("orders").set(amount="x"), "cannot be stored in amount, which is of type DECIMAL"),
    "null": (lambda te: te.update("orders").set(id=None), "must not be NULL"),
    "twice": (lambda te: te.update("orders").set(amount=1).set(amount=2).all_rows(), "amount is assigned twice"),
    "field twice": (
        lambda te: te.update("orders").set({"address.town": "a"}, address=None).all_rows(),
        "address is assigned twice",
    ),
    "no rows of update": (lambda te: te.update("orders").set(amount=1).execute(), "where(…), or all_rows()"),
    "no rows of delete": (lambda te: te.delete_from("orders").execute(), "where(…), or all_rows()"),
    "no values": (lambda te: te.update("orders").set(), "takes at least one column"),
    "no boolean": (lambda te: te.delete_from("orders").where(col("id")), "is of type BOOLEAN, but `id` is of type"),
    "aggregate": (lambda te: te.update("orders").set(amount=col("amount").max), "holds the aggregate MAX(`amount`)"),
    "unknown table": (lambda te: te.delete_from("ordrs"), "Did you mean 'orders'?"),
}


@pytest.mark.parametrize("name", list(_WRONG))
def test_what_is_wrong_is_said_before_anything_runs(te: TableEnvironment, name: str) -> None:
    make, message = _WRONG[name]
    with pytest.raises(TableException) as raised:
        make(te)
    assert message in str(raised.value)


def test_clause_cannot_refer_to_the_row_that_it_lacks(te: TableEnvironment) -> None:
    begun = te.merge_into("orders", "updates", on="id")
    with pytest.raises(
        ValidationException, match="without a row of the table, so that there is no amount of the table"
    ):
        begun.when_not_matched(lambda target, source: target.amount > 1).insert_all()
    with pytest.raises(
        ValidationException, match="without a row of the source, so that there is no amount of the source"
    ):
        begun.when_not_matched_by_source().update(amount=lambda target, source: source.amount)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("UPDATE orders SET amuont = 1", "Did you mean 'amount'?\nline 1, column 19:"),
        ("DELETE FROM orders WHERE amuont = 1", "Did you mean 'amount'?\nline 1, column 26:"),
        (
            "MERGE INTO orders t USING updates s ON t.id = s.id WHEN NOT MATCHED THEN INSERT (id) VALUES (1, 2)",
            "INSERT names 1 columns, and VALUES has 2 values.\nline 1, column 82:",
        ),
        (
            "MERGE INTO orders t USING updates s ON t.id = s.id WHEN MATCHED THEN UPDATE SET amount = tags",
            "Ambiguous column name: tags; 2 columns have it. Write one of [t.tags, s.tags].\nline 1, column 90:",
        ),
        ("MERGE INTO orders USING updates ON true", "expected is an operator or WHEN"),
    ],
)
def test_error_of_sql_has_its_place(te: TableEnvironment, text: str, message: str) -> None:
    with pytest.raises(TableException) as raised:
        te.sql_statement(text)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    "make",
    [
        lambda te: te.merge_into("orders", "updates", on="id").when_matched().delete(),
        lambda te: te.update("orders").set(amount=1).all_rows(),
        lambda te: te.delete_from("orders").all_rows(),
    ],
)
def test_tables_of_files_are_refused_with_the_way_out(te: TableEnvironment, make: Any) -> None:
    with pytest.raises(
        TableException,
        match=r"do not support a.* statement\. Nothing was changed\. .*Delta Lake.*USE CATALOG spark_cat",
    ):
        make(te).execute()
    assert te._parts.runtime.started is None


def test_merge_for_an_older_target_is_prepared(te: TableEnvironment) -> None:
    statement = te.sql_statement("UPDATE orders SET customer = DAYNAME(day)")
    assert "DATE_FORMAT(`day`, 'EEE')" in statement.as_serializable_string(target="spark-3.5")


def test_flink_has_update_and_delete_and_no_merge(te: TableEnvironment) -> None:
    update = te.update("orders").set(amount=col("amount") + 1).where(col("id") == 1)
    assert update.as_serializable_string("FLINK").startswith("UPDATE `memory`.`sales`.`orders` SET\n")
    merge = te.merge_into("orders", "updates", on="id").when_matched().delete()
    with pytest.raises(TableException, match=r"SQL of Flink has no form of a MERGE statement\."):
        merge.as_serializable_string("FLINK")


def test_alias_is_not_the_name_of_a_column(te: TableEnvironment) -> None:
    te.declare("accounts", {"id": "INT", "target": "ROW<x INT>"}, ignore_if_exists=True)
    text = "DELETE FROM accounts WHERE id > (SELECT AVG(b.id) FROM accounts b WHERE b.id = accounts.id)"
    made = te.sql_statement(text)
    printed = made.as_serializable_string()
    assert "AS `target_`" in printed
    assert te.sql_statement(printed).as_serializable_string() == printed
