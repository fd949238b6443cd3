"""The example notebook, executed in its own kernel."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [pytest.mark.long, pytest.mark.nightly]


@pytest.fixture(scope="module")
def cells(jvm: None, tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """The code cells with their outputs."""
    notebook = nbformat.read(ROOT / "examples" / "notebook.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TABLEAPI_HOME", str(tmp_path_factory.mktemp("home")))
        patch.setenv("IPYTHONDIR", str(tmp_path_factory.mktemp("ipython")))
        patch.setenv("PYTHONPATH", str(ROOT))
        NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def _shown(cell: Any) -> Any:
    (output,) = [output for output in cell.outputs if output.output_type == "execute_result"]
    return output.data


def test_the_last_expression_of_a_cell_is_displayed(cells: list[Any]) -> None:
    environment, orders, totals, result = (_shown(cell) for cell in cells[:4])
    assert "spark_catalog" in environment["text/html"]
    assert "not started" in environment["text/plain"]
    assert "DOUBLE" in orders["text/html"]
    assert "GROUP BY" in totals["text/html"]
    assert "3 rows fetched and not read yet" in result["text/plain"]


def test_markup_in_rows_is_text(cells: list[Any]) -> None:
    page = _shown(cells[3])["text/html"]
    assert "&lt;b&gt;Cleo&lt;/b&gt;" in page
    assert "<b>" not in page


def test_a_mistake_shows_the_cell_and_one_frame(cells: list[Any]) -> None:
    (error,) = cells[4].outputs
    assert error.ename == "ValidationException"
    assert "Did you mean 'amount'?" in error.evalue
    text = "\n".join(error.traceback)
    assert "resolution" not in text
    assert text.count("File ") + text.count("Cell ") <= 2


def test_progress_is_gone_when_the_query_has_ended(cells: list[Any]) -> None:
    shown = [output for output in cells[5].outputs if output.output_type == "display_data"]
    assert [output.data for output in shown] == [{}]
    assert _shown(cells[5])


def test_a_table_shows_the_rows_of_its_execution(cells: list[Any]) -> None:
    assert "fetched at" not in _shown(cells[2])["text/html"]
    assert "the first 3 rows, fetched at" in _shown(cells[6])["text/html"]


def test_sql_of_a_cell_is_a_table(cells: list[Any]) -> None:
    assert "HAVING SUM(amount) &gt; 5" in _shown(cells[8])["text/html"]


def test_lineage_and_differences_are_shown(cells: list[Any]) -> None:
    assert "<svg" in _shown(cells[9])["text/html"]
    assert "A filter was added" in _shown(cells[10])["text/html"]


def test_nothing_but_the_announcement_is_printed(cells: list[Any]) -> None:
    printed = "".join(o.text for cell in cells for o in cell.outputs if o.output_type == "stream")
    assert printed.startswith("tableapi: Spark 4.")
    assert printed.count("\n") == 1
