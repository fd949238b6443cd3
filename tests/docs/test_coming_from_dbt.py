"""The page for dbt users, followed literally, and the queries of both projects on it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tableapi import EnvironmentSettings, TableEnvironment
from tableapi.testing import assert_same_query
from tests.docs.test_tutorial import follow, steps

PAGE = Path(__file__).parents[2] / "docs" / "coming-from-dbt.md"


def test_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    done = steps(PAGE)
    assert [kind for kind, *_ in done].count("run") == 6
    follow(done, capfd)


def _render(template: str, macros: dict[str, tuple[str, str]]) -> str:
    """Return the SQL of a model, as ``dbt compile`` writes it; macros are parameters and bodies by name."""
    text = re.sub(r"\{\{ config\(.*?\) \}\}\n", "", template)
    text = re.sub(r"\{\{ ref\('(\w+)'\) \}\}", r"sales.\1", text)
    text = re.sub(r"\{\{ source\('(\w+)', '(\w+)'\) \}\}", r"\1.\2", text)
    for name, (parameter, body) in macros.items():
        text = re.sub(
            rf"\{{\{{ {name}\('(\w+)'\) \}}\}}",
            lambda call, parameter=parameter, body=body: body.replace(f"{{{{ {parameter} }}}}", call[1]),  # type: ignore[misc]  # defaults
            text,
        )
    assert "{" not in text
    return text


def test_both_projects_have_the_same_queries() -> None:
    files = {path: text for kind, path, text in reversed(steps(PAGE)) if kind == "file"}
    macros = {
        name: (parameter, body)
        for name, parameter, body in re.findall(
            r"\{% macro (\w+)\((\w+)\) %\}(.*?)\{% endmacro %\}", files["dbt/macros/euros.sql"], re.DOTALL
        )
    }
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("spark_catalog")
    te = TableEnvironment.create(settings.with_built_in_database_name("sales").build())
    te.execute_sql("CREATE DATABASE raw")
    te.declare("raw.orders", {"id": "BIGINT NOT NULL", "day": "DATE", "status": "STRING", "amount_cents": "BIGINT"})
    scope: dict[str, object] = {}
    exec(files["views/orders.py"], scope)
    ours = scope["stg_orders"].build(te)  # type: ignore[attr-defined]  # the scope holds objects
    assert_same_query(ours, _render(files["dbt/models/stg_orders.sql"], macros))
    te.create_view("sales.stg_orders", ours)
    select = files["catalog/sales/views/revenue_by_day.sql"].split(" AS\n", 1)[1].rstrip(";\n")
    assert_same_query(te.sql_query(select), _render(files["dbt/models/revenue_by_day.sql"], macros))


def test_every_concept_of_the_page_has_an_answer() -> None:
    table = PAGE.read_text(encoding="utf-8").split("\n## Concepts\n")[1].split("\n## ")[0]
    rows = [line.split("|")[1:-1] for line in table.splitlines() if line.startswith("|")][2:]
    assert len(rows) > 25
    assert [there for there, here in rows if not here.strip()] == []
