"""What tools refuse, each with a message and no traceback, and what they must not do."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tableapi.cli.serve import answers
from tableapi.cli.serve.server import answer_call
from tableapi.cli.serve.workspace import Workspace
from tableapi.command_line import main
from tests.project.projects import replace, write
from tests.serve.conftest import Server, server_parameters
from tests.serve.served_project import LOADED, WITNESS
from tests.serve.test_tools import TOOLS

SPARK = "This would start Spark, which tableapi serve never does."
OUTSIDE = "is outside the project"

REFUSED: list[tuple[str, dict[str, Any], str]] = [
    # Names and arguments.
    ("comple", {}, "There is no tool 'comple'; there are compile, types,"),
    ("compile", {}, "compile needs the argument 'query': SQL, such as"),
    (
        "compile",
        {"qery": "SELECT 1"},
        "compile has no argument 'qery'; it takes query, target, tree_json. Did you mean",
    ),
    ("compile", {"query": 3}, "The argument 'query' of compile is a string, but is 3."),
    ("compile", {"query": "SELECT 1", "tree_json": "yes"}, "is true or false, but is 'yes'"),
    (
        "lineage",
        {"name": "sales.late", "depth": 0},
        "The argument 'depth' of lineage is a whole number from 1, but is 0",
    ),
    ("lineage", {"name": "sales.late", "depth": True}, "is a whole number from 1, but is True"),
    (
        "lineage",
        {"name": "sales.late", "direction": "upp"},
        "is one of up, down, both, but is 'upp'. Did you mean 'up'?",
    ),
    # Queries.
    ("compile", {"query": ""}, "''"),
    ("compile", {"query": "-"}, "'-'"),
    ("compile", {"query": "SELECT amuont FROM orders"}, "Did you mean 'amount'?\nline 1, column 8:"),
    ("compile", {"query": "SELECT id FORM orders"}, "Did you mean FROM instead of FORM?\nline 1, column 11"),
    ("compile", {"query": "sales.lte"}, "The project shop has no view 'sales.lte'. Did you mean 'sales.late'?"),
    ("compile", {"query": "SELECT * FROM sales.ordrs"}, "Did you mean"),
    ("compile", {"query": "SELECT 1", "target": "spark-9.0"}, "spark-9.0"),
    ("compile", {"query": "missing.sql"}, "missing.sql cannot be read: No such file or directory."),
    ("compile", {"query": "latin.sql"}, "is no text in UTF-8: byte 9 is wrong."),
    ("compile", {"query": "broken.sql"}, "broken.sql: Cannot resolve field [amuont]"),
    ("compile", {"query": "DELETE FROM orders", "tree_json": True}, "this is a statement about a table"),
    ("compile", {"query": "INSERT INTO orders SELECT 1; SELECT 1"}, "INSERT is no declaration."),
    ("diff", {"old": "DELETE FROM orders", "new": "sales.late"}, "is a statement about a table"),
    ("diff", {"old": "v9:sales.late", "new": "sales.late"}, "There is no revision 'v9'"),
    ("diff", {"old": "HEAD:sales.lte", "new": "sales.late"}, "has no view 'sales.lte'. Did you mean 'sales.late'?"),
    ("diff", {"old": "HEAD:missing.sql", "new": "sales.late"}, "missing.sql"),
    ("diff", {"old": "--output=x:sales.late", "new": "sales.late"}, "There is no revision '--output=x'"),
    # Names of the project.
    ("types", {"name": "sales.ordrs"}, "has no table or view 'sales.ordrs'. Did you mean 'sales.orders'?"),
    ("types", {"name": "hr.*"}, "has no table or view 'hr.*'."),
    ("lineage", {"name": "sales.late.custmer"}, "Did you mean 'customer'?"),
    ("lineage", {"name": "sales.lte"}, "sales.lte"),
    ("plan", {}, "a target that is a directory; the project has files, old."),
    ("plan", {"since": "v9"}, "There is no revision 'v9'"),
    ("plan", {"target": "fils"}, "The project shop has no target 'fils'."),
    ("check", {"target": "fils"}, "Did you mean 'files'?"),
    ("functions", {"pattern": "hypott"}, "Did you mean"),
    ("functions", {"pattern": "zz*"}, "No built-in function matches 'zz*'."),
    ("functions", {"about": "hippopotamus"}, "Try one word."),
    ("explain_error", {}, "explain_error takes one of the arguments query and code."),
    ("explain_error", {"query": "SELECT 1", "code": "42703"}, "takes one of the arguments"),
    ("explain_error", {"query": "sales.lte"}, "has no view 'sales.lte'"),
    ("explain_error", {"code": "UNRESOLVED_COLUM"}, "Did you mean 'UNRESOLVED_COLUMN'?"),
    # Files outside the project.
    ("compile", {"query": "../outside.sql"}, OUTSIDE),
    ("compile", {"query": "/etc/passwd.sql"}, OUTSIDE),
    ("compile", {"query": "link.sql"}, OUTSIDE),
    ("explain_error", {"query": "../outside.sql"}, OUTSIDE),
    ("diff", {"old": "report.sql", "new": "../outside.sql"}, OUTSIDE),
    ("diff", {"old": "HEAD:../outside.sql", "new": "report.sql"}, OUTSIDE),
    # What would start Spark, write files or run code.
    ("compile", {"query": "SELECT * FROM csv.`/etc/passwd`"}, SPARK),
    ("compile", {"query": "CREATE TEMPORARY VIEW v USING csv OPTIONS (path '/etc/passwd'); SELECT * FROM v"}, SPARK),
    ("plan", {"target": "production"}, "Planning for the target production would start Spark"),
    (
        "compile",
        {"query": "CREATE /* a */ CATALOG c WITH ('type' = 'directory', 'path' = 'written'); SELECT 1"},
        "CREATE CATALOG is no declaration",
    ),
    (
        "compile",
        {"query": "CREATE FUNCTION f AS 'os.getcwd' LANGUAGE PYTHON; SELECT f()"},
        "Its package is not allowed: allowed are [].",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("tool", "arguments", "message"), REFUSED)
def test_an_error_is_a_message(tool: str, arguments: dict[str, Any], message: str, server: Server) -> None:
    assert message in server.error(tool, **arguments)


@pytest.mark.slow
def test_explain_error_does_not_read_files_outside(server: Server) -> None:
    assert "secret" not in server.error("explain_error", query="link.sql")


def test_modules_that_fail(server: Server, edited: Path) -> None:
    write(edited, "views/broken.py", "1 / 0\n")
    [finding] = server.document("check")["findings"]
    assert finding["message"] == "ZeroDivisionError: division by zero"
    write(edited, "views/broken.py", "import sys\nsys.exit(3)\n")
    assert server.error("check").startswith("A module of the project ended the process")
    (edited / "views/broken.py").unlink()
    assert server.document("check")["findings"] == []


def test_an_error_of_the_library_has_no_traceback(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(workspace: Workspace, target: str | None) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr(answers, "check", fail)
    for shown in ("", "full"):
        monkeypatch.setenv("TABLEAPI_TRACEBACK", shown)
        result = answer_call(Workspace(project), "check", {})
        assert result.is_error
        assert [content.text for content in result.content] == ["check failed unexpectedly: RuntimeError: boom"]
        assert ("Traceback" in capsys.readouterr().err) == bool(shown)


# --- the files of the project ----------------------------------------------------------------------------------------


def test_the_project_is_read_anew_when_files_change(server: Server, edited: Path) -> None:
    def names() -> list[str]:
        return [relation["name"] for relation in server.document("types", columns=False)["relations"]]

    def condition(view: str) -> str:
        return str(server.document("compile", query=view)["sql"]).rpartition("WHERE ")[2]

    before = names()
    assert condition("sales.helped") == "id > 2"
    replace(edited, "lib/helpers.py", "2", "30")
    assert condition("sales.helped") == "id > 30"
    replace(edited, "views/orders.py", "100", "1000")
    assert condition("sales.large") == "amount > 1000"
    replace(edited, "catalog/sales/views/late.sql", "2025", "2026")
    assert condition("sales.late") == "day < '2026-01-01'"
    write(edited, "catalog/sales/views/more.sql", "CREATE VIEW more AS SELECT id FROM orders;\n")
    write(edited, "views/most.py", (edited / "views/helped.py").read_text().replace("helped", "most"))
    assert set(names()) - set(before) == {"sales.more", "sales.most"}
    (edited / "catalog/sales/views/late.sql").unlink()
    assert set(before) - set(names()) == {"sales.late"}


def test_a_project_file_that_is_wrong_for_a_while(server: Server, edited: Path) -> None:
    replace(edited, "tableapi.toml", 'database = "sales"', 'databse = "sales"')
    assert "tableapi.toml:3: [project] has no key 'databse'" in server.error("check")
    replace(edited, "tableapi.toml", "databse", "database")
    assert server.document("check")["findings"] == []


def test_an_unchanged_project_is_kept(server: Server, edited: Path) -> None:
    write(edited, "views/loaded.py", LOADED)
    first = server.document("types", name="loaded")
    # Another revision has modules of the same names.
    server.document("diff", old="HEAD~1:sales.late", new="sales.late")
    assert server.document("types", name="loaded") == first
    replace(edited, "lib/helpers.py", "2", "3")
    assert server.document("types", name="loaded") != first


# --- what never happens ----------------------------------------------------------------------------------------------

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("compile", {"query": "SELECT id, rand() AS r FROM sales.large", "tree_json": True}),
    ("types", {}),
    ("explain_error", {"query": "SELECT * FROM csv.`/etc/passwd`"}),
    ("lineage", {"name": "sales.orders"}),
    ("diff", {"old": "HEAD~1:sales.late", "new": "sales.late"}),
    ("plan", {"since": "HEAD~1"}),
    ("plan", {"target": "files"}),
    ("check", {}),
    ("functions", {}),
]


def _contents(folder: Path) -> dict[str, str]:
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


@pytest.mark.slow
def test_no_tool_writes_or_loads_spark(server: Server, edited: Path) -> None:
    assert {tool for tool, _ in CALLS} == set(TOOLS)
    before = _contents(edited.parent)
    for tool, arguments in CALLS:
        server.document(tool, **arguments)
    for tool, arguments, _ in REFUSED:
        server.error(tool, **arguments)
    assert _contents(edited.parent) == before
    # The project is read anew, with the loaded modules as the comment of a view.
    write(edited, "views/witness.py", WITNESS)
    [witness] = server.document("types", name="witness")["relations"]
    loaded = set(witness["comment"].split())
    assert {"tableapi", "mcp"} < loaded
    assert not loaded & {"pyspark", "py4j", "grpc", "pyarrow", "pandas", "numpy"}


@pytest.mark.slow
def test_stdout_has_the_protocol_alone(project: Path) -> None:
    """As a client sees it that reads each line: views print in every way, also at the end of the process."""
    requests = [
        {
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"},
            },
        },
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "compile", "arguments": {"query": "sales.noisy"}}},
    ]
    given = server_parameters(project)
    with subprocess.Popen(
        [given.command, *given.args],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=given.cwd,
        env={**os.environ, **(given.env or {})},
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        lines = []
        for request in requests:
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **request}) + "\n")
            process.stdin.flush()
            if "id" in request:
                lines.append(process.stdout.readline())
        process.stdin.close()
        lines += process.stdout.read().splitlines()
        noise = process.stderr.read()
    assert process.returncode == 0
    assert [json.loads(line)["id"] for line in lines] == [1, 2]
    assert not json.loads(lines[1])["result"]["isError"]
    for kind in ("of a module", "of a descriptor", "of a program", "at the end", "of a view"):
        assert noise.count(f"noise {kind}\n") == 1
    assert "Traceback" not in noise


# --- the command -----------------------------------------------------------------------------------------------------


def test_without_a_project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "-C", str(tmp_path)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "tableapi.toml" in printed.err


def test_without_the_extra(project: Path) -> None:
    program = (
        "import sys; sys.modules['mcp'] = None; from tableapi.command_line import main; sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "serve", "-C", str(project)], capture_output=True, text=True, input=""
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: tableapi serve comes with the extra 'serve' of tableapi: ")
    assert "pip install 'tableapi[serve]'" in done.stderr
