"""Import the 120 views of the warehouse, deploy them to a second metastore, and compare all rows there.

``python -m tests.migration.proof`` kills the import at random points first, and lets it resume. Each process has a
Spark of its own over Derby; on two cores, the whole takes about ten minutes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from grammar.statement_words import words
from tests.migration import warehouse_files

_ROOT: Final = Path(__file__).parents[2]
_PROJECT: Final = """\
[project]
name = "warehouse"
database = "mart"

[targets.old]
warehouse = "old"

[targets.new]
warehouse = "new"
"""
# What the import says of views that depend on settings which no project has, for SET statements of their scripts.
_OF_SETTINGS: Final = "stored under other settings"


def create(folder: Path, name: str) -> None:
    """Create the warehouse in a folder; the second one has the tables alone."""
    from tableapi.spark.session import embedded_session, stop_embedded_session

    spark = embedded_session(warehouse=folder / name)
    try:
        if name == "old":
            warehouse_files.create(spark)
        else:
            warehouse_files.create(spark, takes=_is_of_table)
    finally:
        stop_embedded_session()


def _is_of_table(statement: str) -> bool:
    """Whether a statement of the scripts makes a table or its rows; functions and views come from the import."""
    begin = [token.text.upper() for token in words(statement)[:6]]
    return "VIEW" not in begin and "FUNCTION" not in begin


def write_rows(folder: Path, name: str, views: list[str]) -> None:
    """Print a fingerprint of all rows of each view, in any order, or the condition of the error."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    from tableapi.spark.session import embedded_session, stop_embedded_session

    spark = embedded_session(warehouse=folder / name)
    found = {}
    try:
        for key, value in warehouse_files.FOR_FEW_ROWS.items():
            spark.conf.set(key, value)
        for view in views:
            try:
                rows = sorted(map(repr, spark.table(view).collect()))
                found[view] = f"{len(rows)} rows, {hashlib.sha256(chr(10).join(rows).encode()).hexdigest()[:16]}"
            except PySparkException as error:
                found[view] = error.getCondition() or str(error).partition("\n")[0]
            except Py4JError as error:
                # A lost JVM is no difference of rows.
                raise RuntimeError(f"{view} cannot be read: {error.args}") from error
    finally:
        stop_embedded_session()
    print(json.dumps(found))


def _run(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "tests.migration.proof", "--folder", str(folder), *arguments]
    return subprocess.run(command, cwd=_ROOT, check=True, capture_output=True, text=True).stdout


def _tableapi(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
    return subprocess.Popen(
        [sys.executable, "-m", "tableapi", *arguments],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def import_with_kills(folder: Path, kills: int, seed: int) -> str:
    """Import the views; kill as many runs, each at a random line that it prints, and let the last one end."""
    chance = random.Random(seed)
    for number in range(kills + 1):
        process = _tableapi(folder, "import-views", "old", "*", "--to", "imported", "--rows")
        assert process.stdout is not None
        last = chance.randrange(5, 260) if number < kills else None
        lines = []
        for line in process.stdout:
            lines.append(line)
            if last is not None and len(lines) >= last:
                os.killpg(process.pid, signal.SIGKILL)
                print(f"killed after: {line.strip()}", flush=True)
                break
        process.wait()
    return "".join(line for line in lines if not line.startswith("["))


def check_report(folder: Path) -> dict[str, Any]:
    """Return the report, after checking that the unreadable views are there with place and reason."""
    report: dict[str, Any] = json.loads((folder / "imported" / "import-report.json").read_text())
    views = {view["name"]: view for view in report["views"]}
    assert sorted(views) == sorted(warehouse_files.view_names())
    for name in warehouse_files.BROKEN:
        view = views[name]
        assert view["outcome"] == "text", view
        assert all(view[field] for field in ("line", "column", "reason")), view
        assert (folder / "imported" / view["file"]).is_file()
    for name, view in views.items():
        if name not in warehouse_files.BROKEN and view["outcome"] != "proved":
            assert _OF_SETTINGS in view["reason"], view
    return report


def prove(folder: Path, kills: int, seed: int) -> None:
    """Run the whole proof in a folder."""
    (folder / "tableapi.toml").write_text(_PROJECT)
    _run(folder, "create", "old")
    print("created the warehouse", flush=True)
    print(import_with_kills(folder, kills, seed), flush=True)
    report = check_report(folder)
    _run(folder, "create", "new")
    print("created the tables of the second warehouse", flush=True)
    deployment = _tableapi(folder, "apply", "new", "--yes", "-C", "imported")
    shown, _ = deployment.communicate()
    assert deployment.returncode == 0, shown
    print(shown.splitlines()[-1], flush=True)
    imported = [view["name"] for view in report["views"] if view["outcome"] != "text"]
    proved = {view["name"] for view in report["views"] if view["outcome"] == "proved"}
    rows = {name: json.loads(_run(folder, "rows", name, *imported)) for name in ("old", "new")}
    different = [view for view in imported if rows["old"][view] != rows["new"][view]]
    print(f"{len(imported) - len(different)} of {len(imported)} imported views have equal rows in the second metastore")
    for view in different:
        print(f"  {view}{'' if view in proved else ' (not proved)'}: {rows['old'][view]} and {rows['new'][view]}")
    assert not proved.intersection(different)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, help="a folder to work in; by default one that is removed afterwards")
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("step", nargs="*", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.step[:1] == ["create"]:
        create(given.folder, given.step[1])
    elif given.step[:1] == ["rows"]:
        write_rows(given.folder, given.step[1], given.step[2:])
    elif given.folder is not None:
        prove(given.folder, given.kills, given.seed)
    else:
        with tempfile.TemporaryDirectory(prefix="tableapi-proof-") as folder:
            prove(Path(folder), given.kills, given.seed)


if __name__ == "__main__":
    main()
