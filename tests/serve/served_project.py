"""The project that the tests serve: a repository of git with views that print, files, and a target of Spark."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.project.projects import SETTINGS, replace, write, write_project

# Each way in which a module can write to stdout.
NOISY = """\
import os
import subprocess
import sys

from tableapi import view

print("noise of a module")
os.write(1, b"noise of a descriptor\\n")
subprocess.run(["echo", "noise of a program"], check=True)
sys.__stdout__.write("noise at the end\\n")


@view("noisy")
def noisy(te):
    print("noise of a view")
    return te.from_path("orders")
"""
# The modules that are loaded in the serving process, as the comment of a view.
WITNESS = """\
import sys

from tableapi import view


@view("witness", comment=" ".join(sorted({name.partition(".")[0] for name in sys.modules})))
def witness(te):
    return te.from_path("orders")
"""
# Another comment each time that the module is loaded.
LOADED = """\
import uuid

from tableapi import view


@view("loaded", comment=str(uuid.uuid4()))
def loaded(te):
    return te.from_path("orders")
"""
HELPED = """\
from lib.helpers import LEAST
from tableapi import view
from tableapi.expressions import col


@view("helped")
def helped(te):
    return te.from_path("orders").filter(col("id") > LEAST)
"""
PRODUCTION = '\n[targets.production]\nspark = "4.0"\nsession = "platform.sessions:production"\n'


def write_served_project(folder: Path) -> Path:
    """Write the project, committed twice: the view late has another condition since the first commit."""
    write_project(folder)
    write(folder, "tableapi.toml", SETTINGS + PRODUCTION)
    write(folder, "views/noisy.py", NOISY)
    write(folder, "views/helped.py", HELPED)
    write(folder, "lib/helpers.py", "LEAST = 1\n")
    write(folder, "report.sql", "SELECT customer, sum(amount) AS total FROM sales.orders GROUP BY customer\n")
    write(folder, "broken.sql", "SELECT customer,\n  amuont FROM sales.orders\n")
    (folder / "latin.sql").write_bytes(b"SELECT '\xe9'")
    write(folder.parent, "outside.sql", "SELECT 1 AS secret\n")
    (folder / "link.sql").symlink_to(folder.parent / "outside.sql")
    git(folder, "init", "--quiet")
    commit(folder, "first")
    replace(folder, "catalog/sales/views/late.sql", "2024-01-01", "2025-01-01")
    replace(folder, "report.sql", "GROUP BY", "WHERE id > 0 GROUP BY")
    replace(folder, "lib/helpers.py", "1", "2")
    commit(folder, "second")
    return folder


def commit(folder: Path, message: str) -> None:
    """Commit all files of a project."""
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "-m", message)


def git(folder: Path, *arguments: str) -> None:
    """Run a command of git in a project."""
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", str(folder), *who, *arguments], check=True, capture_output=True)
