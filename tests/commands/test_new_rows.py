"""Queries for the rows that UPDATE and MERGE write."""

from __future__ import annotations

import pytest

from serializer.commands.new_rows import new_row_queries
from tableapi import EnvironmentSettings, TableEnvironment

_T = "`memory`.`default_database`.`t` AS `target`"
_U = "`memory`.`default_database`.`u` AS `source`"
_ON = "`target`.`id` = `source`.`id`"
_MERGE = "MERGE INTO t USING u ON t.id = u.id "


@pytest.fixture(scope="module")
def te() -> TableEnvironment:
    made = TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build())
    made.declare("t", {"id": "INT NOT NULL", "x": "INT", "r": "ROW<a INT>"})
    made.declare("u", {"id": "INT", "x": "INT", "r": "ROW<a INT>"})
    return made


@pytest.mark.parametrize(
    ("statement", "queries"),
    [
        (
            "UPDATE t SET x = x - 1 WHERE id > 3",
            [
                f"SELECT `target`.`id` AS `id`, `target`.`x` - 1 AS `x`, `target`.`r` AS `r` FROM {_T} "
                "WHERE `target`.`id` > 3"
            ],
        ),
        # A default is not known, and a field is a part of a value.
        ("UPDATE t SET x = DEFAULT", []),
        ("UPDATE t SET r.a = 1", []),
        (
            f"{_MERGE} WHEN MATCHED AND u.x > 5 THEN DELETE WHEN MATCHED THEN UPDATE SET x = u.x",
            [
                f"SELECT `target`.`id` AS `id`, `source`.`x` AS `x`, `target`.`r` AS `r` FROM {_T} JOIN {_U} "
                f"ON {_ON} WHERE ((`source`.`x` > 5) IS NOT TRUE)"
            ],
        ),
        (
            f"{_MERGE} WHEN NOT MATCHED AND u.x > 5 THEN INSERT (id, x) VALUES (u.id, 3) "
            "WHEN NOT MATCHED THEN INSERT *",
            [
                f"SELECT `source`.`id` AS `id`, 3 AS `x`, NULL AS `r` FROM {_U} "
                f"WHERE NOT EXISTS (SELECT 1 FROM {_T} WHERE {_ON}) AND (`source`.`x` > 5)",
                f"SELECT `source`.`id` AS `id`, `source`.`x` AS `x`, `source`.`r` AS `r` FROM {_U} "
                f"WHERE NOT EXISTS (SELECT 1 FROM {_T} WHERE {_ON}) AND ((`source`.`x` > 5) IS NOT TRUE)",
            ],
        ),
        (
            f"{_MERGE} WHEN NOT MATCHED BY SOURCE THEN UPDATE SET x = 0",
            [
                f"SELECT `target`.`id` AS `id`, 0 AS `x`, `target`.`r` AS `r` FROM {_T} "
                f"WHERE NOT EXISTS (SELECT 1 FROM {_U} WHERE {_ON})"
            ],
        ),
    ],
)
def test_queries(te: TableEnvironment, statement: str, queries: list[str]) -> None:
    command = te.sql_statement(statement).get_command()
    made = list(new_row_queries(command, None))  # type: ignore[arg-type]  # the statements are UPDATE and MERGE
    assert made == queries
    for text in made:
        assert te.sql_query(text).get_schema().get_field_names() == ["id", "x", "r"]
