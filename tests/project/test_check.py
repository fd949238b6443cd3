"""The check of a project: all views are built, and each problem has its file, line and cause."""

from __future__ import annotations

from pathlib import Path

import pytest

from tableapi.project.configuration import ProjectError
from tableapi.project.findings import Finding
from tableapi.project.project import Project
from tests.project.projects import LATE, replace, write


def _check(folder: Path) -> list[Finding]:
    return Project.load(folder).check()


def test_views_in_python_and_sql_read_each_other(project: Path) -> None:
    loaded = Project.load(project)
    assert loaded.check() == []
    assert sorted(view.name for view in loaded.views().values()) == ["sales.by_customer", "sales.large", "sales.late"]
    large = loaded.view("large")
    assert large.view.comment == "Large orders."
    assert large.view.schema.column("id").comment == "the order"
    assert large.view.properties == {"owner": "sales"}
    assert loaded.view("sales.late").reads[0].as_summary_string() == "spark_catalog.sales.large"


def test_wrong_column_has_file_line_and_nearest_name(project: Path) -> None:
    replace(project, "views/orders.py", 'col("amount")', 'col("amout")')
    found = {finding.subject: finding for finding in _check(project)}
    large = found.pop("sales.large")
    assert (large.file, large.line, large.because_of) == ("views/orders.py", 7, "")
    assert "Did you mean 'amount'?" in large.message
    assert {name: one.because_of for name, one in found.items()} == {
        "sales.late": "sales.large",
        "sales.by_customer": "sales.large",
    }


def test_wrong_sql_has_its_place(project: Path) -> None:
    replace(project, "catalog/sales/views/late.sql", "WHERE day", "WHERE dya")
    (found,) = _check(project)
    assert (found.file, found.line) == ("catalog/sales/views/late.sql", 1)
    assert found.column == LATE.index("day") + 1
    assert "Did you mean 'day'?" in found.message


def test_a_module_that_cannot_be_read_does_not_hide_the_others(project: Path) -> None:
    write(project, "views/broken.py", "x = 1\ndef f(:\n")
    (found,) = _check(project)
    assert (found.file, found.line) == ("views/broken.py", 2)
    assert "invalid syntax" in found.message


def test_exception_of_a_view_is_its_problem(project: Path) -> None:
    write(
        project,
        "views/odd.py",
        'from tableapi import view\n\n@view("odd")\ndef odd(te):\n    return {}["no"]\n\n@view("none")\ndef none(te):\n'
        "    pass\n",
    )
    odd, none = sorted(_check(project), key=lambda finding: finding.line)
    assert (odd.subject, odd.line, odd.message) == ("sales.odd", 5, "KeyError: 'no'")
    assert "returns a table, but returned None" in none.message


def test_cycle_is_shown(project: Path) -> None:
    text = 'from tableapi import view\n\n@view("a")\ndef a(te):\n    return te.from_path("b")\n\n'
    write(project, "views/cycle.py", text)
    write(project, "catalog/sales/views/b.sql", "CREATE VIEW b AS SELECT * FROM a;\n")
    found = _check(project)
    assert {finding.subject for finding in found} == {"sales.a", "sales.b"}
    assert all("reads itself: " in finding.message and " → " in finding.message for finding in found)


def test_the_file_of_a_cycle_has_its_place(project: Path) -> None:
    write(project, "catalog/sales/views/a.sql", "CREATE VIEW a AS\nSELECT * FROM b;\n")
    write(project, "catalog/sales/views/b.sql", "CREATE VIEW b AS\nSELECT * FROM sales.`A`;\n")
    (cause,) = [finding for finding in _check(project) if not finding.because_of]
    assert (cause.subject, cause.place) == ("sales.a", "catalog/sales/views/a.sql:2:15")
    assert cause.message.endswith("    ^")


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"id": "BIGINT NOT NULL", "customer": "STRING", "day": "DATE"}, None),
        ({"id": "INT", "customer": "STRING", "day": "DATE"}, "'id' is declared as INT, and the query gives BIGINT"),
        ({"id": "BIGINT", "customer": "STRING"}, "The query gives the column 'day', which the schema does not declare"),
        (
            {"id": "BIGINT", "customer": "STRING", "day": "DATE", "dya": "DATE"},
            "declares the column 'dya', which the query does not give. Did you mean 'day'?",
        ),
        (
            {"id": "BIGINT", "customer": "STRING NOT NULL", "day": "DATE"},
            "'customer' is declared as STRING NOT NULL, and the query gives STRING",
        ),
    ],
)
def test_contract(project: Path, schema: dict[str, str], message: str | None) -> None:
    replace(project, "views/orders.py", 'owner="sales"', f"schema={schema!r}")
    found = _check(project)
    assert [message in finding.message for finding in found if message] == ([] if message is None else [True])
    assert len(found) == (message is not None)


def test_name_declared_twice(project: Path) -> None:
    write(project, "catalog/sales/views/large.sql", "CREATE VIEW large AS SELECT 1 AS a;\n")
    write(project, "views/more.py", 'from tableapi import view\n\n@view("by_customer")\ndef f(te):\n    return None\n')
    messages = [finding.message for finding in _check(project)]
    assert any("The catalog has a view of this name in a file" in message for message in messages)
    assert any("is declared in views/" in message for message in messages)


def test_target_that_lacks_a_function(project: Path) -> None:
    replace(project, "catalog/sales/views/late.sql", "SELECT id", "SELECT PARSE_JSON('1') AS j, id")
    assert _check(project) == []
    (found,) = Project.load(project, "old").check()
    assert "needs Spark 4.0; the target is Spark 3.5" in found.message


def test_edited_module_is_read_anew(project: Path) -> None:
    assert _check(project) == []
    replace(project, "views/orders.py", "> 100", "> nothing")
    assert any("NameError" in finding.message for finding in _check(project))


def test_names_that_need_quotes(project: Path) -> None:
    write(project, "catalog/sales/views/late%20ones.sql", "CREATE VIEW `late ones` AS SELECT nope FROM large;\n")
    write(project, "catalog/sales/views/tick%60.sql", "CREATE VIEW `tick``` AS SELECT id FROM large;\n")
    (problem,) = _check(project)
    assert problem.subject == "sales.`late ones`"
    assert problem.file == "catalog/sales/views/late%20ones.sql"
    assert "nope" in problem.message
    # A second check remembers the first one.
    assert [found.subject for found in _check(project)] == ["sales.`late ones`"]
    loaded = Project.load(project)
    assert loaded.view("sales.`tick```").identifier.name == "tick`"
    with pytest.raises(ProjectError, match="nope"):
        loaded.view("sales.`late ones`")


def test_a_cycle_is_one_problem(project: Path) -> None:
    for name, read in (("a", "b"), ("b", "c"), ("c", "a"), ("d", "c")):
        write(project, f"catalog/sales/views/{name}.sql", f"CREATE VIEW {name} AS SELECT * FROM {read};\n")
    write(
        project,
        "views/circle.py",
        """\
from tableapi import view


@view("x")
def x(te):
    return te.from_path("y")


@view("y")
def y(te):
    return te.from_path("x")
""",
    )
    found = {finding.subject: finding for finding in _check(project)}
    assert {name: finding.because_of for name, finding in found.items()} == {
        "sales.a": "",
        "sales.b": "sales.a",
        "sales.c": "sales.a",
        "sales.d": "sales.a",
        "sales.x": "",
        "sales.y": "sales.x",
    }
    assert "sales.a → spark_catalog.sales.b → spark_catalog.sales.c → spark_catalog.sales.a" in found["sales.a"].message


def test_a_reader_of_a_broken_file_follows_from_it(project: Path) -> None:
    write(project, "catalog/sales/views/odd.sql", "CREATE VIEW odd AS SELCT 1;\n")
    write(project, "catalog/sales/views/over.sql", "CREATE VIEW over AS SELECT * FROM odd;\n")
    found = {finding.subject: finding for finding in _check(project)}
    assert (found["sales.odd"].because_of, found["sales.over"].because_of) == ("", "sales.odd")


def test_a_missing_folder_of_tables_is_named(project: Path) -> None:
    replace(project, "tableapi.toml", 'name = "shop"', 'name = "shop"\ncatalog = "catalgo"')
    messages = [finding.message for finding in _check(project) if finding.file == "tableapi.toml"]
    assert messages == ["catalog in [project] names the folder catalgo, which does not exist. Did you mean 'catalog'?"]
