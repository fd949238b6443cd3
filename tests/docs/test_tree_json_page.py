"""The program for Node.js on the page about the JSON of trees prints what the page shows."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "tree-json.md"


def _block(text: str, language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return str(found)


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed: the command node is missing")
def test_the_program_prints_what_the_page_shows() -> None:
    text = PAGE.read_text(encoding="utf-8")
    document = text[text.index('{\n  "document"') : text.index(">>> te.from_tree_json(document)")]
    command = ["node", "-e", _block(text, "javascript")]
    ran = subprocess.run(command, input=document, capture_output=True, text=True, check=True)
    assert ran.stdout == _block(text, "text")
