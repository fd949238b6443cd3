"""Asks Spark about the broken pipelines: ``python -m tests.pipelines.measure`` writes ``measured.json``.

With names of pipelines, only those are measured again. Each is given to ``spark-pipelines dry-run``, or to ``run``
where only that refuses it, in one process against one server.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.connect_server import serve
from tests.pipelines.broken import BROKEN, ORDERS, SPECIFICATION, Broken

MEASURED: Final = Path(__file__).with_name("measured.json")


def write_broken(folder: Path, broken: Broken) -> None:
    """Write the files of a broken pipeline."""
    for name, text in {"spark-pipeline.yml": SPECIFICATION, **broken.files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("FOLDER", str(folder)))


def main() -> None:
    """Measure all broken pipelines."""
    with tempfile.TemporaryDirectory() as scratch, serve(Path(scratch) / "warehouse") as (te, address):
        te.execute_sql(f"{ORDERS} USING parquet")
        environment = {**os.environ, "SPARK_REMOTE": address, "PYTHONPATH": str(Path(__file__).parents[2])}
        command = [sys.executable, "-m", "tests.pipelines.measure", "--client", *sys.argv[1:]]
        subprocess.run(command, env=environment, check=True)


def measure_all(names: Sequence[str]) -> None:
    """Measure the pipelines of some names, or all, against the server of the environment."""
    known = json.loads(MEASURED.read_text()) if names else {}
    for broken in BROKEN:
        if not names or broken.name in names:
            known[broken.name] = {"refused_by": broken.refused_by, "said": _measure(broken)}
    MEASURED.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n")


def _measure(broken: Broken) -> str:
    """Return the error condition or the first line of what Spark says; empty if it accepts the pipeline."""
    from pyspark.pipelines import cli

    said = io.StringIO()
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        write_broken(Path(folder), broken)
        os.chdir(folder)
        try:
            path = cli.find_pipeline_spec(Path(folder))
            cli.run(path, [], full_refresh_all=False, refresh=[], dry=broken.refused_by == "dry-run")
        except BaseException as error:
            text = f"{error}\n{said.getvalue()}"
            condition = re.search(r"\[([A-Z_]+(?:\.[A-Z_]+)*)\]", text)
            return condition[1] if condition else f"{type(error).__name__}: {str(error).strip().splitlines()[0][:120]}"
        finally:
            os.chdir(before)
    return ""


if __name__ == "__main__":
    measure_all(sys.argv[2:]) if "--client" in sys.argv else main()
