"""Record a session of Python in a terminal: ``python docs/record_session.py`` writes docs/recordings/first-hour.cast.

The file is an asciicast, version 2: ``asciinema play docs/recordings/first-hour.cast`` shows it.
"""

from __future__ import annotations

import json
import os
import pty
import select
import sys
import time
from pathlib import Path

RECORDING = Path(__file__).parent / "recordings" / "first-hour.cast"
WIDTH, HEIGHT = 100, 40
PROMPT, MORE = b">>> ", b"... "
_LONGEST_WAIT = 120.0
INTERRUPT = "\x03"
# What is typed; Ctrl-C comes some seconds after the line before it.
STEPS = [
    "from tableapi import TableEnvironment",
    "from tableapi.expressions import col",
    "te = TableEnvironment.create()",
    'orders = te.from_elements([(1, "tea", 3), (2, "cup", 8), (3, "tea", 5)], ["id", "product", "amount"])',
    'orders.filter(col("amout") > 4)',
    'big = orders.filter(col("amount") > 4)',
    "big",
    "big.execute().print()",
    "rows = te.sql_query(\"SELECT a.id FROM range(0, 40000000, 1, 8) a WHERE sha2(CAST(a.id AS STRING), 512) = 'x'\")",
    "rows.execute().print()",
    INTERRUPT,
    'orders.group_by(col("product")).select(col("product"), col("amount").sum).execute().print()',
    "exit()",
]


class _Terminal:
    """A child process in a terminal of its own, whose output is recorded with its times."""

    def __init__(self) -> None:
        self.events: list[tuple[float, str]] = []
        self._start = time.monotonic()
        child, self._file = pty.fork()
        if child == 0:
            os.environ.update(TERM="xterm-256color", COLUMNS=str(WIDTH), LINES=str(HEIGHT), PYTHON_BASIC_REPL="1")
            os.execv(sys.executable, [sys.executable, "-q"])

    def read_until(self, ends: tuple[bytes, ...], longest: float) -> None:
        """Record output until it ends with a prompt, the process ends, or the time is over."""
        seen, until = b"", time.monotonic() + longest
        while time.monotonic() < until:
            ready, _, _ = select.select([self._file], [], [], 0.1)
            if not ready:
                if seen.endswith(ends):
                    return
                continue
            try:
                read = os.read(self._file, 4096)
            except OSError:
                return
            seen += read
            self.events.append((time.monotonic() - self._start, read.decode(errors="replace")))

    def type(self, text: str) -> None:
        """Type a line, or press a key."""
        os.write(self._file, text.encode() if text == INTERRUPT else f"{text}\n".encode())


def main() -> None:
    """Record the steps."""
    terminal = _Terminal()
    terminal.read_until((PROMPT,), _LONGEST_WAIT)
    for step, following in zip(STEPS, [*STEPS[1:], ""], strict=True):
        terminal.type(step)
        terminal.read_until((PROMPT, MORE), 5.0 if following == INTERRUPT else _LONGEST_WAIT)
    # Where this machine keeps things is nobody's business.
    private = {str(Path(__file__).parents[1]): "~/tableapi", os.environ.get("TABLEAPI_HOME", "\0"): "~/.tableapi"}
    for number, (at, text) in enumerate(terminal.events):
        for path, shown in private.items():
            text = text.replace(path, shown)
        terminal.events[number] = at, text
    header = {"version": 2, "width": WIDTH, "height": HEIGHT, "title": "tableapi: the first hour"}
    lines = [json.dumps(header), *[json.dumps([round(at, 3), "o", text]) for at, text in terminal.events]]
    RECORDING.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
