"""The verbs of the command line: output, exit codes, JSON documents, and what is not loaded."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tableapi.command_line import main
from tests.project.projects import replace, write, write_project
from tests.serializer.tree_json.documents import schema_errors

DOCUMENTS = json.loads((Path(__file__).parents[2] / "docs" / "json-documents.json").read_text())


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write_project(tmp_path)


def document(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, Any]:
    """Run a verb with --json, and return its document, which follows the schema."""
    capsys.readouterr()
    assert main([*arguments, "--json"]) == code
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    jsonschema.validate(found, DOCUMENTS)
    return found


def test_check(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at = ("-C", str(project))
    assert document(capsys, "check", *at)["views"] == ["sales.by_customer", "sales.large", "sales.late"]
    replace(project, "views/orders.py", 'col("amount")', 'col("amout")')
    found = document(capsys, "check", *at, code=1)
    assert {finding["because_of"] for finding in found["findings"]} == {"", "sales.large"}
    assert main(["check", *at]) == 1
    shown = capsys.readouterr().out
    assert "views/orders.py:7" in shown
    assert "1 problem, and 2 views that cannot be built because of them; 0 views without a problem." in shown


def test_check_shows_the_line_of_the_project_and_not_of_the_current_folder(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    write(elsewhere, "views/orders.py", "# another project\n" * 30)
    monkeypatch.chdir(elsewhere)
    replace(project, "views/orders.py", 'col("amount")', 'col("amuont")')
    assert main(["check", "-C", str(project)]) == 1
    shown = capsys.readouterr().out
    assert 'filter(col("amuont") > 100)' in shown
    assert "another project" not in shown


def test_plan_apply_and_history(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at = ("-C", str(project))
    planned = document(capsys, "plan", "files", *at)
    assert [step["action"] for step in planned["steps"]] == ["create"] * 3
    assert document(capsys, "apply", "files", *at, code=2)["applied"] == 0
    assert document(capsys, "apply", "files", "--yes", *at)["applied"] == 3
    assert document(capsys, "plan", "files", *at)["steps"] == []
    assert len(document(capsys, "history", "files", *at)["entries"]) == 3
    (project / "catalog/sales/views/late.sql").unlink()
    assert document(capsys, "plan", "files", "--fail-on", "destructive", *at, code=1)["safety"] == "destructive"
    assert main(["plan", "files", "--sql", *at]) == 0
    assert capsys.readouterr().out == "DROP VIEW spark_catalog.sales.late;\n\n"
    assert main(["plan", "files", *at]) == 0
    assert "- drop sales.late  [destructive]" in capsys.readouterr().out


@pytest.mark.slow
def test_plan_since_a_revision(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def git(*arguments: str) -> None:
        who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(["git", "-C", str(project), *who, *arguments], check=True, capture_output=True)

    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "-m", "first")
    at = ("-C", str(project))
    assert document(capsys, "plan", "--since", "HEAD", *at)["steps"] == []
    replace(project, "views/orders.py", ', col("day"))', ")")
    (project / "catalog/sales/views/late.sql").unlink()
    found = document(capsys, "plan", "--since", "HEAD", "--fail-on", "destructive", *at, code=1)
    assert [(step["action"], step["view"]) for step in found["steps"]] == [
        ("replace", "spark_catalog.sales.large"),
        ("drop", "spark_catalog.sales.late"),
    ]
    # For the engine of a target, which is not reached.
    assert document(capsys, "plan", "old", "--since", "HEAD", *at)["target"] == "HEAD"
    assert main(["plan", "--since", "HEAD", *at]) == 0
    assert "Plan of shop for HEAD\n\n~ replace sales.large  [destructive]\n" in capsys.readouterr().out
    assert "has no environments" in document(capsys, "plan", "--since", "HEAD", "--env", "dev", *at, code=2)["error"]
    assert "--since with a revision" in document(capsys, "plan", *at, code=2)["error"]
    assert "no revision 'v9'" in document(capsys, "plan", "--since", "v9", *at, code=2)["error"]


@pytest.mark.slow
def test_rollback(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at = ("-C", str(project))
    assert document(capsys, "apply", "files", "--yes", *at)["applied"] == 3
    (first,) = {entry["deployment"] for entry in document(capsys, "history", "files", *at)["entries"]}
    (project / "catalog/sales/views/late.sql").unlink()
    assert document(capsys, "apply", "files", "--yes", *at)["applied"] == 1
    planned = document(capsys, "rollback", "files", "--to", first[:6], "--dry-run", *at)
    assert [(step["action"], step["origin"]) for step in planned["steps"]] == [("create", "the journal")]
    assert planned["applied"] == 0
    assert document(capsys, "rollback", "files", "--to", first, *at, code=2)["applied"] == 0
    assert main(["rollback", "files", "--to", first, "--dry-run", *at]) == 0
    assert "+ create sales.late  [safe]" in capsys.readouterr().out
    assert document(capsys, "rollback", "files", "--to", first, "--yes", *at)["applied"] == 1
    assert (project / "target/sales/views/late.sql").exists()
    assert main(["history", "files", *at]) == 0
    shown = capsys.readouterr().out
    assert shown.count("deployment ") == 3
    assert f"deployment {first}  " in shown
    assert "has no deployment 'none'" in document(capsys, "rollback", "files", "--to", "none", *at, code=2)["error"]


def test_schema_pull_and_check(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at = ("-C", str(project))
    assert document(capsys, "schema", "check", "files", *at)["drift"] == []
    write(
        project,
        "target/sales/tables/orders.sql",
        "CREATE TABLE orders (id STRING, customer STRING, amount DECIMAL(10, 2)) PARTITIONED BY (customer);\n",
    )
    (drift,) = document(capsys, "schema", "check", "files", *at, code=1)["drift"]
    assert drift["table"] == "sales.orders"
    assert [change for change in drift["changes"] if "`id`" in change and "STRING" in change]
    assert [change for change in drift["changes"] if "`day`" in change]
    assert "the partition columns are [customer], and not []" in drift["changes"][-1]
    assert document(capsys, "schema", "pull", "files", *at)["written"] == ["sales.orders"]
    path = project / "catalog/sales/tables/orders.sql"
    state = path.stat()
    assert document(capsys, "schema", "pull", "files", "--tables", "sales.*", *at)["unchanged"] == 1
    assert path.stat().st_mtime_ns == state.st_mtime_ns
    assert document(capsys, "schema", "check", "files", *at)["drift"] == []
    assert (
        "matches 'nothing'" in document(capsys, "schema", "pull", "files", "--tables", "nothing", *at, code=2)["error"]
    )


def test_lineage(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at = ("-C", str(project))
    found = document(capsys, "lineage", "sales.late.customer", "--up", *at)
    assert "downstream" not in found
    values = [
        (one["dataset"], one["column"], one["influences"]) for one in found["upstream"] if not one["through_rows"]
    ]
    assert values == [("sales.large", "customer", ["identity"]), ("sales.orders", "customer", ["identity"])]
    rows = {(one["dataset"], one["column"]) for one in found["upstream"] if one["through_rows"]}
    assert rows == {("sales.large", "day"), ("sales.orders", "amount"), ("sales.orders", "day")}
    assert {*found["openlineage"]} == {"sales.large", "sales.late"}
    found = document(capsys, "lineage", "orders.customer", "--down", "--depth", "1", *at)
    assert {one["dataset"] for one in found["downstream"]} == {"sales.large"}
    found = document(capsys, "lineage", "orders.customer", "--down", *at)
    assert {one["dataset"] for one in found["downstream"]} == {"sales.large", "sales.by_customer", "sales.late"}
    whole = document(capsys, "lineage", *at)
    assert whole["name"] is None
    assert {*whole["openlineage"]} == {"sales.by_customer", "sales.large", "sales.late"}
    assert main(["lineage", "sales.orders.id", *at]) == 0
    assert "sales.orders.id, downstream\n 1  sales.large.id" in capsys.readouterr().out
    for form, begins in (("dot", "digraph"), ("mermaid", "flowchart"), ("svg", "<svg"), ("openlineage", "{")):
        assert main(["lineage", "late", "--format", form, *at]) == 0
        assert capsys.readouterr().out.startswith(begins)
    assert "Did you mean 'sales.late'" in document(capsys, "lineage", "sales.lat", *at, code=2)["error"]
    assert "Did you mean 'customer'" in document(capsys, "lineage", "late.custmer", *at, code=2)["error"]


@pytest.mark.slow
def test_init_passes_its_own_checks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "new shop"
    assert document(capsys, "init", str(folder))["project"] == "new_shop"
    assert document(capsys, "check", "-C", str(folder))["findings"] == []
    assert main(["fmt", "--check", str(folder)]) == 0
    capsys.readouterr()
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "tableapi_spark=never", "."]
    tests = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    assert "1 passed, 1 skipped" in tests.stdout, tests.stdout
    assert "has a project already" in document(capsys, "init", str(folder), code=2)["error"]


@pytest.mark.slow
def test_queries(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at = ("-C", str(project))
    found = document(capsys, "sql", "by_customer", *at)
    assert found["sql"].startswith("SELECT customer, COUNT(id) AS n")
    assert found["columns"][1] == {"name": "n", "type": "BIGINT", "nullable": False}
    assert "Aggregate" in document(capsys, "explain", "sales.by_customer", *at)["tree"]
    tree = document(capsys, "explain", "sales.by_customer", "--tree-json", *at)["query"]
    assert schema_errors(json.dumps(tree)) == []
    assert main(["explain", "sales.by_customer", "--tree-json", *at]) == 0
    assert json.loads(capsys.readouterr().out) == tree
    assert "Did you mean" in document(capsys, "sql", "by_custome", *at, code=2)["error"]
    assert document(capsys, "functions", "hypot")["functions"] == ["HYPOT"]
    assert {"ABS", "HYPOT", "JSON_ARRAY"} < set(document(capsys, "functions")["functions"])
    assert "JSON_ARRAY" in document(capsys, "functions", "json*")["functions"]
    assert "Did you mean" in document(capsys, "functions", "hypott", code=2)["error"]


def test_diff_of_files_and_revisions(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at = ("-C", str(project))
    git = ("git", "-C", str(project), "-c", "user.name=a", "-c", "user.email=a@example.org")
    for command in (("init", "-q"), ("add", "."), ("commit", "-qm", "first")):
        subprocess.run([*git, *command], check=True)
    assert document(capsys, "diff", "HEAD:sales.large", "sales.large", *at)["differ"] is False
    replace(project, "views/orders.py", "> 100", "> 200")
    found = document(capsys, "diff", "HEAD:sales.large", "sales.large", *at, code=1)
    assert found["changes"] == ["In the condition of the filter, `amount` > 100 became `amount` > 200."]
    assert found["is_compatible"] is True
    old = write(project, "a.sql", "SELECT a FROM VALUES (1) AS t(a)")
    new = write(project, "b.sql", "SELECT a FROM VALUES (1) AS t(a) LIMIT 1")
    assert document(capsys, "diff", str(old), str(new), code=1)["differ"] is True
    assert "git" in document(capsys, "diff", "nope:sales.large", "sales.large", *at, code=2)["error"]


def test_files_of_views(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at, file = ("-C", str(project)), "catalog/sales/views/late.sql"
    git = ("git", "-C", str(project), "-c", "user.name=a", "-c", "user.email=a@example.org")
    path = write(project, file, "CREATE VIEW late AS\nSELECT id FROM orders;\n")
    for command in (("init", "-q"), ("add", "."), ("commit", "-qm", "first")):
        subprocess.run([*git, *command], check=True)
    # The names of a view are looked up in its database.
    assert "sales.orders" in document(capsys, "sql", str(path), *at)["sql"]
    assert document(capsys, "diff", f"HEAD:{file}", str(path), *at)["differ"] is False
    replace(project, file, "FROM orders", "FROM orders WHERE id > 1")
    assert document(capsys, "diff", f"HEAD:{file}", "sales.late", *at, code=1)["changes"] == [
        "A filter was added: `id` > 1."
    ]
    replace(project, file, "id > 1", "ident > 1")
    assert f"{file}:2:" in document(capsys, "explain", str(path), *at, code=2)["error"]
    # A statement in another place is compiled like a query, under the names that it gives to the columns.
    loose = write(project, "loose.sql", "CREATE VIEW v (a COMMENT 'x', b) AS SELECT id, 1 FROM sales.orders")
    assert [column["name"] for column in document(capsys, "sql", str(loose), *at)["columns"]] == ["a", "b"]
    message = document(capsys, "sql", str(project / "views/orders.py"), *at, code=2)["error"]
    assert "is a file of Python, whose views have names. Name one: sales." in message
    assert "sales.large" in message


def test_diff_of_two_revisions(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at, git = ("-C", str(project)), ("git", "-C", str(project), "-c", "user.name=Ada", "-c", "user.email=a@example.org")
    for command in (("init", "-q"), ("add", "."), ("commit", "-qm", "first")):
        subprocess.run([*git, *command], check=True, capture_output=True)
    assert document(capsys, "diff", "HEAD", ".", *at)["objects"] == []
    replace(project, "views/orders.py", "> 100", "> 200")
    write(project, "catalog/sales/views/late.sql", "CREATE VIEW later AS SELECT id FROM orders;\n")
    (project / "catalog/sales/views/late.sql").rename(project / "catalog/sales/views/later.sql")
    write(project, "catalog/sales/views/torn.sql", "CREATE VIEW torn AS SELECT nope FROM orders;\n")
    write(project, "catalog/sales/functions/one.sql", "CREATE FUNCTION one() RETURNS INT RETURN 1;\n")
    found = document(capsys, "diff", "HEAD", ".", *at, code=1)
    assert [(one["kind"], one["name"], one["change"]) for one in found["objects"]] == [
        ("view", "sales.large", "changed"),
        ("view", "sales.late", "removed"),
        ("view", "sales.later", "added"),
        ("view", "sales.torn", "broken"),
        ("function", "sales.one", "added"),
    ]
    assert found["objects"][0]["changes"] == [
        "In the condition of the filter, `amount` > 100 became `amount` > 200.",
        "The columns of the result are the same.",
    ]
    assert not found["is_compatible"]
    assert main(["diff", "HEAD", ".", *at]) == 1
    shown = capsys.readouterr().out
    assert "~ view sales.large" in shown
    assert "5 views and functions differ between HEAD and the files." in shown
    assert "is one query. Compare two states" in document(capsys, "diff", "HEAD", "large", *at, code=2)["error"]
    missing = document(capsys, "diff", "HEAD:sales.later", "sales.later", *at, code=2)["error"]
    assert missing.startswith("At HEAD: The project shop has no view 'sales.later'")


def test_import_views_and_sql(project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at = ("-C", str(project))
    document(capsys, "apply", "files", "--yes", *at)
    found = document(capsys, "import-views", "files", "sales", "--to", str(tmp_path / "imported"), *at)
    assert found["counts"] == {"proved": 3, "unproved": 0, "text": 0}
    again = document(capsys, "import-views", "files", "sales", "--to", str(tmp_path / "imported"), *at)
    assert again["resumed"] == 3
    assert document(capsys, "check", "-C", str(tmp_path / "imported"))["findings"] == []
    written = write(tmp_path, "one.sql", "CREATE VIEW one AS SELECT 1 AS n;\nCREATE VIEW two AS SELECT m FROM one;")
    found = document(capsys, "import-sql", str(written), "--to", str(tmp_path / "of_files"), code=1)
    assert found["counts"] == {"proved": 1, "unproved": 0, "text": 1}
    (broken,) = [view for view in found["views"] if view["outcome"] == "text"]
    assert "[m]" in broken["reason"]
    line = (tmp_path / "of_files" / broken["file"]).read_text().splitlines()[broken["line"] - 1]
    assert line[broken["column"] - 1 :].startswith("m FROM one")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check"], "There is no tableapi.toml in "),
        (["plan", "nope"], "There is no tableapi.toml in "),
        (["sql", "missing"], "missing is no file, and no view"),
        (["import-views", "files", "sales", "--to", "imported"], "There is no tableapi.toml in "),
        (["import-sql", "nowhere", "--to", "imported"], "There is no file or folder nowhere."),
    ],
)
def test_what_cannot_work_is_said_without_a_trace(
    tmp_path: Path,
    arguments: list[str],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert (shown.out, message in shown.err, "Traceback" in shown.err) == ("", True, False)


def test_unknown_target_has_the_nearest_name(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "plan", "fils", "-C", str(project), code=2)
    assert found["error"].endswith("Did you mean 'files'?")


@pytest.mark.slow
@pytest.mark.parametrize("verb", [[], ["check"], ["plan"], ["apply"], ["schema"], ["fmt"], ["sql"], ["diff"]])
def test_help_loads_neither_spark_nor_the_environment(verb: list[str]) -> None:
    program = (
        "import sys\nfrom tableapi.command_line import main\n"
        f"code = main({[*verb, '--help']!r})\n"
        "loaded = {'pyspark', 'pyarrow', 'tableapi.table', 'lark', 'rich.syntax'} & sys.modules.keys()\n"
        "print(code, sorted(loaded))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COLUMNS": "100"},
    )
    assert done.stdout.splitlines()[-1] == "0 []"


def test_a_target_in_spark_without_its_packages_is_one_sentence(project: Path) -> None:
    """The embedded session begins to start in another thread, which must not report the error, too."""
    with (project / "tableapi.toml").open("a") as file:
        file.write('\n[targets.embedded]\nwarehouse = "warehouse"\n')
    program = (
        "import sys; sys.modules['pyspark'] = None\n"
        "from tableapi.command_line import main\n"
        f"sys.exit(main(['plan', 'embedded', '-C', {str(project)!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "needs the package pyspark, which comes with the extra 'spark'" in done.stderr
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1, done.stderr


def test_compare_asks_for_another_environment_and_for_views(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at = ("-C", str(project))
    assert "compared with another one" in document(capsys, "compare", "files", *at, code=2)["error"]
    missing = document(capsys, "compare", "files", "shop.*", "--env", "dev", *at, code=2)
    assert missing["error"] == "No view of the project shop fits shop.*."
    document(capsys, "apply", "files", "--yes", *at)
    found = document(capsys, "compare", "files", "--env", "dev", *at, code=1)
    assert {(view["name"], *view["missing"]) for view in found["views"]} == {
        (f"sales.{name}", "dev") for name in ("by_customer", "large", "late")
    }
    assert main(["compare", "files", "late", "--env", "dev", *at]) == 1
    shown = capsys.readouterr().out
    assert "~ sales.late\n    It is not in dev.\n" in shown
    assert "1 view compared between production and dev; 1 differs." in shown


def test_declarations_write_no_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "catalog"
    text = f"CREATE /* here */ CATALOG c WITH ('type' = 'directory', 'path' = '{folder}'); SELECT 1"
    assert "CREATE CATALOG is no declaration" in document(capsys, "sql", text, code=2)["error"]
    assert not folder.exists()


def test_a_revision_has_the_modules_and_no_foreign_links_of_its_time(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(project, "lib/limits.py", "LEAST = 100\n")
    replace(
        project,
        "views/orders.py",
        "from tableapi import view",
        "from lib.limits import LEAST\nfrom tableapi import view",
    )
    replace(project, "views/orders.py", "> 100", "> LEAST")
    (project / "elsewhere").symlink_to(tmp_path.parent)
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
    for command in (("init", "--quiet"), ("add", "."), ("commit", "--quiet", "-m", "first")):
        subprocess.run(["git", "-C", str(project), *who, *command], check=True, capture_output=True)
    replace(project, "lib/limits.py", "100", "200")
    found = document(capsys, "diff", "HEAD:large", "large", "-C", str(project), code=1)
    assert "200" in found["changes"][0]
    index = (project / ".git/index").read_bytes()
    (project / "tableapi.toml").touch()
    document(capsys, "plan", "files", "-C", str(project))
    assert (project / ".git/index").read_bytes() == index


def test_plan_names_the_tables_of_pipelines(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, "catalog/sales/streaming_tables/kept.sql", "CREATE STREAMING TABLE kept AS FROM STREAM orders;\n")
    found = document(capsys, "plan", "files", "-C", str(project))
    assert found["of_pipelines"] == [{"view": "sales.kept", "kind": "streaming table"}]
    assert found["drift_outside"] == []
