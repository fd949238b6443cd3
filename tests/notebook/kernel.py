"""A kernel of Jupyter in which tests run cells."""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.util import run_sync

ROOT = Path(__file__).resolve().parents[2]
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
# Seconds; only a kernel that hangs takes as long.
_TIMEOUT = 300


class Cell:
    """The outputs of a cell that has run."""

    def __init__(self, outputs: list[Any]) -> None:
        self.outputs = outputs

    def _of_type(self, kind: str) -> list[Any]:
        return [output for output in self.outputs if output.output_type == kind]

    @property
    def data(self) -> Mapping[str, str]:
        """What the value of the last expression shows, by MIME type."""
        assert self.errors == []
        (output,) = self._of_type("execute_result")
        return dict(output.data)

    @property
    def html(self) -> str:
        """What the value of the last expression shows in a notebook."""
        return self.data["text/html"]

    @property
    def text(self) -> str:
        """What the value of the last expression shows without HTML."""
        return self.data["text/plain"]

    @property
    def errors(self) -> list[str]:
        """The names of the exceptions that ended the cell: one or none."""
        return [output.ename for output in self._of_type("error")]

    @property
    def traceback(self) -> str:
        """What the exception that ended the cell shows, without colours."""
        (output,) = self._of_type("error")
        return _COLOUR.sub("", "\n".join(output.traceback))

    @property
    def displays(self) -> list[Any]:
        """The contents of the displays that the cell has made, as they are at the end."""
        return [output.data for output in self._of_type("display_data")]

    @property
    def printed(self) -> str:
        """What the cell has printed."""
        return "".join(output.text for output in self._of_type("stream"))


class Kernel:
    """A running kernel."""

    def __init__(self, client: NotebookClient) -> None:
        self._client = client

    def run(self, code: str) -> Cell:
        """Run a cell."""
        return Cell(self._execute(self._new_cell(code)))

    def _new_cell(self, code: str) -> Any:
        cell = nbformat.v4.new_code_cell(code.strip("\n"))
        self._client.nb.cells.append(cell)
        return cell

    def _execute(self, cell: Any) -> list[Any]:
        self._client.execute_cell(cell, len(self._client.nb.cells) - 1)
        return list(cell.outputs)

    def interrupt(self, code: str, when: Callable[[Cell], bool]) -> Cell:
        """Run a cell, and interrupt the kernel, as Ctrl-C does, when the outputs so far have something."""
        cell = self._new_cell(code)
        ended = threading.Event()

        def watch() -> None:
            while not ended.wait(0.05):
                if when(Cell(list(cell.outputs))):
                    run_sync(self._client.km.interrupt_kernel)()
                    return

        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            return Cell(self._execute(cell))
        finally:
            ended.set()
            watcher.join()

    def complete(self, code: str) -> list[str]:
        """Return the completions at the end of a code."""

        async def ask() -> Any:
            return await self._client.kc.complete(code, len(code), reply=True, timeout=_TIMEOUT)

        return list(run_sync(ask)()["content"]["matches"])


@contextlib.contextmanager
def running_kernel(folder: Path) -> Iterator[Kernel]:
    """Start a kernel that has this library, and end it.

    Args:
        folder: an empty folder for what IPython and the library store.
    """
    client = NotebookClient(nbformat.v4.new_notebook(), timeout=_TIMEOUT, kernel_name="python3", allow_errors=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TABLEAPI_HOME", str(folder / "home"))
        patch.setenv("IPYTHONDIR", str(folder / "ipython"))
        patch.setenv("PYTHONPATH", str(ROOT))
        with client.setup_kernel():
            yield Kernel(client)
