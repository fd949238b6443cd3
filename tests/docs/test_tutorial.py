"""The tutorial, followed literally: its files are written, its commands run, and each prints what the page shows."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tableapi.command_line import main

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "tutorial.md"
_FILE = re.compile(r"`([\w./-]+)`:\n\n```\w+\n(.*?)```\n", re.DOTALL)
_CONSOLE = re.compile(r"```console\n(.*?)```\n", re.DOTALL)


def steps(page: Path) -> list[tuple[str, str, str]]:
    """Return what the reader of a page does, in order: ``file`` with a path and a text, ``run`` with a command and its
    output.
    """
    text = page.read_text(encoding="utf-8")
    found = [(match.start(), "file", match[1], match[2]) for match in _FILE.finditer(text)]
    for block in _CONSOLE.finditer(text):
        for number, part in enumerate(re.split(r"^\$ ", block[1], flags=re.MULTILINE)[1:]):
            command, _, output = part.partition("\n")
            found.append((block.start() + number, "run", command, output))
    return [step[1:] for step in sorted(found)]


def matches(shown: str, printed: str) -> bool:
    """Whether a command printed what is shown, where … stands for any text.

    >>> matches("a\\n…\\nc\\n", "a\\nb\\nb\\nc\\n"), matches("a\\n", "b\\n")
    (True, False)
    """
    pattern = ".*?".join(map(re.escape, shown.rstrip().split("…")))
    return re.fullmatch(pattern, printed.rstrip(), re.DOTALL) is not None


def test_examples() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert found.attempted > 6
    assert not found.failed


@pytest.mark.slow
def test_the_tutorial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    done = steps(PAGE)
    assert sum(kind == "run" for kind, *_ in done) > 12
    follow(done, capfd)


def follow(done: list[tuple[str, str, str]], capfd: pytest.CaptureFixture[str]) -> None:
    """Write the files of a page, and compare what its commands print with what it shows."""
    for kind, what, text in done:
        if kind == "file":
            Path(what).parent.mkdir(parents=True, exist_ok=True)
            Path(what).write_text(text, encoding="utf-8")
            continue
        capfd.readouterr()
        _run(what)
        printed = capfd.readouterr()
        assert matches(text, printed.out), f"$ {what}\n{printed.out}{printed.err}\n--- is shown as:\n{text}"


def _run(command: str) -> None:
    """Run a command; a verb in this process, since starting one takes longer than most verbs."""
    program, *arguments = shlex.split(command)
    if program == "tableapi":
        main(arguments)
    else:
        program = sys.executable if program == "python" else program
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        subprocess.run([program, *arguments], env={**os.environ, "PYTHONPATH": path}, check=True)


@pytest.mark.parametrize(("shown", "expected"), [("a\n…\nc\n", True), ("a\n", False), ("a\nb\nc\nd\n", False)])
def test_what_is_shown_is_compared(shown: str, expected: bool) -> None:
    assert matches(shown, "a\nb\nc\n") is expected
