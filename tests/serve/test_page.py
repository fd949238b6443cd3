"""What ``docs/serve.md`` says is so: its program runs, and its table lists the tools with their arguments."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tableapi.cli.serve.tools import TOOLS
from tests.serve.conftest import server_parameters

PAGE = (Path(__file__).parents[2] / "docs" / "serve.md").read_text(encoding="utf-8")


def test_the_table_lists_the_tools() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \|", PAGE, re.MULTILINE)
    listed = {tool: re.findall(r"`(\w+)`", arguments) for tool, arguments in rows}
    assert listed == {tool.name: [parameter.name for parameter in tool.parameters] for tool in TOOLS}


@pytest.mark.slow
def test_the_program_runs(project: Path) -> None:
    [program] = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    given = server_parameters(project)
    command = f"StdioServerParameters(command={given.command!r}, args={given.args!r}, env={given.env!r})"
    placed = re.sub(r"StdioServerParameters\(command=.*\)$", lambda _: command, program, flags=re.MULTILINE)
    assert placed != program
    done = subprocess.run([sys.executable, "-c", placed], capture_output=True, text=True, cwd=given.cwd)
    assert done.stdout == "SELECT id\nFROM spark_catalog.sales.orders\n", done.stderr
