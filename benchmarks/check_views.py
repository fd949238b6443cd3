"""Time to check and plan a project of many views, beside SQLMesh and dbt: ``make bench-views``.

The same views, in chains of eight over ten tables, as a project of each tool. Every command is a process of its own,
as in a terminal or in CI, and the tools run in turns. On a machine that does something else, too, the processor time of
each command says more than its duration. ``tableapi check`` and ``sqlmesh plan`` type every view;
``dbt parse`` reads templates and references alone. Nothing is deployed: ``tableapi plan`` compares with a directory
that has the tables and no view.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Final

import attrs

TABLES: Final = 10
CHAIN: Final = 8
COLUMNS: Final = {
    "id": "BIGINT",
    "customer": "STRING",
    "amount": "DECIMAL(12, 2)",
    "at": "TIMESTAMP",
    "status": "STRING",
}

Name = Callable[[str], str]
"""How a query of a tool writes the name of a table or view."""


def views(count: int, name: Name) -> Iterator[tuple[str, str]]:
    """Yield the name and the query of each view, those that it reads first."""
    for number in range(count):
        chain, step = divmod(number, CHAIN)
        read = name(f"base_{chain % TABLES}" if step == 0 else f"v_{chain}_{step - 1}")
        other = name(f"base_{(chain + 3) % TABLES}")
        queries = (
            f"SELECT id, customer, amount, at, status FROM {read} WHERE amount > {step}",
            f"SELECT id, customer, amount * 2 AS amount, at, status FROM {read} WHERE status <> 'x'",
            f"SELECT id, customer, amount, at, CASE WHEN amount > 10 THEN 'big' ELSE status END AS status FROM {read}",
            f"SELECT a.id, a.customer, a.amount, a.at, b.status FROM {read} AS a JOIN {other} AS b ON a.id = b.id",
        )
        yield f"v_{chain}_{step}", queries[step % len(queries)]


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def write_tableapi(folder: Path, count: int) -> None:
    """Write the views as a project of this library."""
    _write(
        folder / "tableapi.toml",
        '[project]\nname = "shop"\ndatabase = "sales"\n\n[targets.files]\ndirectory = "deployed"\n',
    )
    columns = ", ".join(f"{name} {type_}" for name, type_ in COLUMNS.items())
    for number in range(TABLES):
        for catalog in ("catalog", "deployed"):
            _write(folder / f"{catalog}/sales/tables/base_{number}.sql", f"CREATE TABLE base_{number} ({columns});\n")
    for name, query in views(count, lambda name: name):
        _write(folder / f"catalog/sales/views/{name}.sql", f"CREATE VIEW {name} AS {query};\n")


def write_sqlmesh(folder: Path, count: int) -> None:
    """Write the views as a project of SQLMesh."""
    _write(
        folder / "config.yaml",
        "gateways:\n  local:\n    connection: {type: duckdb, database: state.duckdb}\ndefault_gateway: local\n"
        "model_defaults: {dialect: spark, start: 2024-01-01}\n",
    )
    columns = ", ".join(f"{name}: '{type_.lower()}'" for name, type_ in COLUMNS.items())
    tables = (f"- name: sales.base_{number}\n  columns: {{{columns}}}\n" for number in range(TABLES))
    _write(folder / "external_models.yaml", "".join(tables))
    for name, query in views(count, lambda name: f"sales.{name}"):
        _write(folder / f"models/{name}.sql", f"MODEL (name sales.{name}, kind VIEW);\n{query}\n")


def write_dbt(folder: Path, count: int) -> None:
    """Write the views as a project of dbt."""
    _write(
        folder / "dbt_project.yml",
        "name: shop\nversion: '1.0'\nconfig-version: 2\nprofile: shop\nmodel-paths: [models]\n"
        "models:\n  shop:\n    +materialized: view\n",
    )
    _write(
        folder / "profiles.yml",
        "shop:\n  target: local\n  outputs:\n    local: {type: duckdb, path: shop.duckdb, threads: 2}\n",
    )
    tables = "".join(f"      - name: base_{number}\n" for number in range(TABLES))
    _write(folder / "models/sources.yml", f"version: 2\nsources:\n  - name: sales\n    tables:\n{tables}")

    def named(name: str) -> str:
        return f"{{{{ source('sales', '{name}') }}}}" if name.startswith("base_") else f"{{{{ ref('{name}') }}}}"

    for name, query in views(count, named):
        _write(folder / f"models/{name}.sql", f"{query}\n")


@attrs.frozen
class Tool:
    """A tool with its project: commands by what they are for, and what a cold run must not find."""

    title: str
    folder: Path
    edited: str
    remembered: tuple[str, ...]
    check: tuple[str, ...]
    plan: tuple[str, ...] | None = None

    def forget(self) -> None:
        """Delete what earlier runs left."""
        for name in self.remembered:
            path = self.folder / name
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)

    def edit(self, run: int) -> None:
        """Change one view in the middle of a chain."""
        path = self.folder / self.edited
        text = path.read_text(encoding="utf-8")
        before = "amount > 4" if run == 0 else f"amount > {100 + run - 1}"
        assert before in text
        path.write_text(text.replace(before, f"amount > {100 + run}"), encoding="utf-8")

    def seconds(self, command: Sequence[str]) -> tuple[float, float]:
        """Return the duration and the processor time of a command.

        Raises:
            RuntimeError: the command failed.
        """
        started, used = time.perf_counter(), _processor_seconds()
        done = subprocess.run(
            command,
            cwd=self.folder,
            env={**os.environ, "DO_NOT_TRACK": "1", "SQLMESH__DISABLE_ANONYMIZED_ANALYTICS": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        taken = time.perf_counter() - started
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)} failed:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        return taken, _processor_seconds() - used


def _processor_seconds() -> float:
    """Return the processor time of all commands that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def tools(folder: Path, count: int) -> list[Tool]:
    """Write the project of each tool, and return the tools."""
    write_tableapi(folder / "tableapi", count)
    write_sqlmesh(folder / "sqlmesh", count)
    write_dbt(folder / "dbt", count)
    programs = Path(sys.executable).parent
    edited = f"v_{count // CHAIN // 2}_4.sql"
    parse = (str(programs / "dbt"), "--no-send-anonymous-usage-stats", "parse", "--profiles-dir", ".")
    return [
        Tool(
            f"tableapi {version('tableapi')}",
            folder / "tableapi",
            f"catalog/sales/views/{edited}",
            (".tableapi_cache",),
            (str(programs / "tableapi"), "check"),
            (str(programs / "tableapi"), "plan", "files"),
        ),
        Tool(
            f"SQLMesh {version('sqlmesh')}",
            folder / "sqlmesh",
            f"models/{edited}",
            (".cache", "state.duckdb"),
            (str(programs / "sqlmesh"), "plan", "--no-prompts", "--explain"),
        ),
        Tool(f"dbt {version('dbt-core')}", folder / "dbt", f"models/{edited}", ("target", "shop.duckdb"), parse),
    ]


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.check_views", description=__doc__)
    parser.add_argument("--views", type=int, default=1000, help="the number of views")
    parser.add_argument("--runs", type=int, default=5, help="how often each command runs")
    parser.add_argument("--alone", action="store_true", help="leave out the other tools")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        found = tools(Path(temporary), given.views)[: 1 if given.alone else None]
        times: dict[tuple[str, str], list[tuple[float, float]]] = {}
        for run in range(given.runs):
            for tool in found:
                tool.forget()
                times.setdefault((tool.title, "cold"), []).append(tool.seconds(tool.check))
                tool.edit(run)
                times.setdefault((tool.title, "after one edit"), []).append(tool.seconds(tool.check))
                if tool.plan is not None:
                    times.setdefault((tool.title, "plan"), []).append(tool.seconds(tool.plan))
    print(f"{given.views} views in chains of {CHAIN}; median of {given.runs} runs, and all of them\n")
    for (title, what), taken in times.items():
        durations, used = zip(*taken, strict=True)
        each = ", ".join(f"{value:.2f}" for value in durations)
        middle, processor = statistics.median(durations), statistics.median(used)
        print(f"{title:22} {what:15} {middle:7.2f} s, {processor:7.2f} s of a processor   ({each})")


if __name__ == "__main__":
    main()
