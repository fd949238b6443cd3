"""The difference of two statements: none if they are one command, and sentences about the parts otherwise."""

from __future__ import annotations

import functools
import itertools

import pytest

from tableapi import diff
from tableapi.exceptions import ValidationException
from tests.commands.tables import dialect_of, environment, statements

_environment = functools.cache(environment)
_MERGE = "MERGE INTO orders AS t USING updates AS s ON t.id = s.id "

_CASES = {
    "values": (
        "UPDATE orders SET amount = 1, customer = 'a' WHERE id > 1",
        "UPDATE orders SET amount = 2, day = NULL WHERE id > 2",
        """
        The assignment of `customer` was removed.
        The value of `amount` was 1, and became 2.
        The assignment of `day` was added: NULL.
        The condition was `id` > 1, and became `id` > 2.
        """,
    ),
    "rows of a merge": (
        _MERGE + "WHEN MATCHED AND t.amount > 1 THEN DELETE",
        _MERGE + "WHEN MATCHED AND s.amount > 1 THEN DELETE WHEN NOT MATCHED THEN INSERT *",
        """
        The condition of clause 1 was `target.amount` > 1, and became `source.amount` > 1.
        A clause was added: not matched: insert all.
        """,
    ),
    "source of a merge": (
        _MERGE + "WHEN MATCHED THEN DELETE",
        _MERGE.replace("updates", "(SELECT * FROM updates WHERE id > 3)") + "WHEN MATCHED THEN DELETE",
        """
        In the source:
          A filter was added: `id` > 3.
          The columns of the result are the same.
        """,
    ),
    "inserted partition": (
        "INSERT INTO visits PARTITION (day = '2024-01-01', country = 'FR') SELECT id, page FROM visits",
        "INSERT OVERWRITE visits PARTITION (day = '2024-01-02', country = 'FR') SELECT id, page FROM visits",
        """
        The mode was append, and became overwrite.
        The value of the partition column `day` of the partition was '2024-01-01', and became '2024-01-02'.
        """,
    ),
    "definition": (
        "CREATE TABLE t (id INT, a STRING DEFAULT 'x' COMMENT 'c', CHECK (id > 0)) "
        "USING delta TBLPROPERTIES ('a' = 'b')",
        "CREATE OR REPLACE TABLE t (a STRING DEFAULT 'y', id BIGINT, b INT, CONSTRAINT k PRIMARY KEY (id), "
        "CHECK (id > 0)) USING delta CLUSTER BY (id) TBLPROPERTIES ('a' = 'c')",
        """
        The value of the column `a` was DEFAULT 'x', and became DEFAULT 'y'.
        The comment of the column `a` was removed: 'c'.
        The type of the column `id` was INT, and became BIGINT.
        The column `b` was added: INT.
        The order of the columns became `a`, `id`, `b`.
        The constraint `k` was added: PRIMARY KEY (id).
        The clustering was (), and became ((id)).
        The property 'a' was 'b', and became 'c'.
        The mode was CREATE TABLE, and became CREATE OR REPLACE TABLE.
        """,
    ),
    "changes": (
        "ALTER TABLE orders ADD COLUMN x INT",
        "ALTER TABLE orders ADD COLUMNS (x BIGINT, y INT)",
        """
        Change 1 was add `x` INT, and became add `x` BIGINT.
        A change was added: add `y` INT.
        """,
    ),
    "kinds": (
        "TRUNCATE TABLE orders",
        "DROP TABLE orders",
        "The statement was a TRUNCATE TABLE statement, and became a DROP TABLE statement.",
    ),
    "words": ("DROP TABLE orders", "DROP TABLE IF EXISTS orders PURGE", "IF EXISTS was added.\nPURGE was added."),
}


@pytest.mark.parametrize("name", _CASES)
def test_changes_are_said_part_by_part(name: str) -> None:
    old, new, expected = _CASES[name]
    te = _environment()
    lines = [line.removeprefix("        ") for line in expected.strip().splitlines()]
    assert diff(te.sql_statement(old), te.sql_statement(new)).as_text().splitlines() == lines
    assert str(diff(te.sql_statement(old), te.sql_statement(old))) == "The statements are equal."


def test_only_a_statement_itself_has_no_difference() -> None:
    te = _environment()
    commands = [te.sql_statement(one[1], dialect=dialect_of(one)).get_command() for one in statements()]
    for old, new in itertools.combinations(dict.fromkeys(commands), 2):
        if type(old) is type(new):
            found = diff(old, new)
            assert found, (old, new)
            assert " object at " not in str(found)


def test_fluent_statements_are_compared() -> None:
    te = _environment()
    found = diff(te.update("orders").set(amount=1).all_rows(), te.sql_statement("UPDATE orders SET amount = 2"))
    assert found.changes == ("The value of `amount` was 1, and became 2.",)
    with pytest.raises(ValidationException, match="diff compares two tables or two statements, but the second"):
        diff(te.from_path("orders"), te.sql_statement("TRUNCATE TABLE orders"))  # type: ignore[call-overload]  # the mistake that is tested
