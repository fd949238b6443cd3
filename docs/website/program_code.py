"""The code of test programs: as the gallery shows it, and as examples of the names that it calls."""

from __future__ import annotations

import ast
import datetime
import re
import subprocess
import sys
import textwrap
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from typing import Final

import tableapi
from docs.website.pages import ROOT
from tableapi import DataTypes, expressions, window

_WIDTH: Final = 62
# Methods whose result is grouped or windowed.
_NO_TABLES: Final = frozenset(
    ["group_by", "window", "over_window", "rollup", "cube", "grouping_sets", "aggregate", "flat_aggregate", "pivot"]
)
NAMESPACE: Final = {
    **{name: getattr(tableapi, name) for name in tableapi.__all__},
    **{name: getattr(module, name) for module in (expressions, window) for name in module.__all__},
    "T": DataTypes,
    "D": Decimal,
    "dt": datetime,
    "timedelta": datetime.timedelta,
    "t": None,
}
"""What the code of the programs may call, under the names that they have there; ``t`` stands for the tables."""
_MARK: Final = "# of "


@cache
def program_code() -> dict[str, str]:
    """Return the code of each program by its name: the expression of its lambda, or its function.

    ``t`` has the tables. The lines are as long as a column of the gallery.
    """
    sources = _sources()
    text = "".join(f"{_MARK}{name}\n{code}\n" for name, code in sources.items())
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--isolated", f"--line-length={_WIDTH}", "-"],
        input=text,
        capture_output=True,
        text=True,
        check=True,
    )
    parts = re.split(rf"^{_MARK}(\w+)\n", done.stdout, flags=re.MULTILINE)
    return {name: code.strip() for name, code in zip(parts[1::2], parts[2::2], strict=True)}


def _sources() -> dict[str, str]:
    found = {}
    for file in sorted((ROOT / "tests" / "programs").glob("*.py")):
        text = file.read_text(encoding="utf-8")
        tree = ast.parse(text)
        assigned = [node for node in tree.body if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)]
        constants = {
            target.id: ast.get_source_segment(text, node.value) or ""
            for node in assigned
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        for call in ast.walk(tree):
            if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "program"):
                continue
            name, build = call.args[0], call.args[1]
            if isinstance(name, ast.Constant):
                node: ast.AST = functions.get(build.id, build) if isinstance(build, ast.Name) else build
                code = ast.get_source_segment(text, node.body if isinstance(node, ast.Lambda) else node, padded=True)
                # Without its parentheses, a chain of several lines is no expression.
                is_expression = isinstance(node, ast.Lambda)
                written = f"({code})" if is_expression else textwrap.dedent(code or "")
                found[str(name.value)] = _with_constants(written, constants)
    return found


def _with_constants(code: str, constants: Mapping[str, str]) -> str:
    """Return code with the calls that constants of the module stand for."""
    if not constants:
        return code
    pattern = re.compile(rf"(?<![\w.'\"])({'|'.join(map(re.escape, constants))})(?![\w'\"=])")
    changed = pattern.sub(lambda name: constants[name[1]], code)
    return changed if changed == code else _with_constants(changed, constants)


@cache
def examples() -> dict[str, str]:
    """Return the name of the program with the shortest code that calls a public name, for each path of such a name.

    Methods of tables are found by a chain that begins with a table, members of expressions by one that begins with
    ``col`` or ``lit``. Programs with unusual names, or with constants of their module, are no examples.

    >>> examples()["tableapi.Table.union_all"]
    'union_all'
    """
    found: dict[str, str] = {}
    for name, code in sorted(program_code().items(), key=lambda item: ("`" in item[1], len(item[1]), item[0])):
        tree = ast.parse(code)
        if not free_names(tree):
            for path in _called(tree):
                found.setdefault(path, name)
    return found


def free_names(tree: ast.AST) -> set[str]:
    """Return the names of an expression that a user cannot import.

    >>> sorted(free_names(ast.parse("t.orders.filter(col('a') > LIMIT).select(lit(D('1')))")))
    ['LIMIT']
    """
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    bound = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    return {node.id for node in names} - bound - NAMESPACE.keys()


def _called(tree: ast.AST) -> set[str]:
    """Return the public names that an expression calls."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found.add(f"tableapi.expressions.{node.func.id}")
        elif isinstance(node, ast.Attribute):
            root = _root(node.value)
            if root in ("col", "lit"):
                found.add(f"tableapi.Expression.{node.attr}")
            elif root == "t" and not isinstance(node.value, ast.Name) and not _is_grouped(node.value):
                found.add(f"tableapi.Table.{node.attr}")
    return found


def _root(node: ast.AST) -> str:
    """Return the name with which a chain of calls and attributes begins."""
    while isinstance(node, (ast.Call, ast.Attribute)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _is_grouped(node: ast.AST) -> bool:
    """Whether a chain ends with a call whose result is no table, such as ``group_by``."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _NO_TABLES
