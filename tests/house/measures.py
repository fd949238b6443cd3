"""The figures that ``make figures`` counts in a source file."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple, TypeGuard

from ir.functions.builtins import BUILT_INS, FAMILIES
from tests.house.sources import PACKAGES, Function, SourceFile, read_sources


class Finding(NamedTuple):
    """A place in a source file that a figure counts."""

    module: str
    line: int
    what: str


def short_files(source: SourceFile) -> Iterator[Finding]:
    """Find files with fewer than 60 lines, except ``__init__`` and ``__main__``, which are short by nature."""
    if source.lines < 60 and source.path.stem not in ("__init__", "__main__"):
        yield Finding(source.module, 1, f"{source.lines} lines")


def long_functions(source: SourceFile) -> Iterator[Finding]:
    """Find functions with more than 60 lines, including the docstring."""
    for function in source.functions:
        lines = (function.end_lineno or function.lineno) - function.lineno + 1
        if lines > 60:
            yield Finding(source.module, function.lineno, f"{function.name}: {lines} lines")


def functions_of_many_parameters(source: SourceFile) -> Iterator[Finding]:
    """Find functions with more than six parameters, not counting ``self`` and ``cls``."""
    for function in source.functions:
        parameters = _parameters(function)
        if len(parameters) > 6:
            yield Finding(source.module, function.lineno, f"{function.name}: {len(parameters)} parameters")


def _parameters(function: Function) -> list[str]:
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return [argument.arg for argument in every if argument.arg not in ("self", "cls")]


def imports_inside_functions(source: SourceFile) -> Iterator[Finding]:
    """Find import statements inside functions."""
    seen = set()
    for function in source.functions:
        for node in ast.walk(function):
            if isinstance(node, ast.Import | ast.ImportFrom) and id(node) not in seen:
                seen.add(id(node))
                yield Finding(source.module, node.lineno, ast.unparse(node))


def tests_of_a_dialect(source: SourceFile) -> Iterator[Finding]:
    """Find comparisons with a member of ``Dialect``."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Compare) and any(_is_dialect(side) for side in (node.left, *node.comparators)):
            yield Finding(source.module, node.lineno, ast.unparse(node))


def _is_dialect(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "Dialect"


def private_members_of_peers(source: SourceFile) -> Iterator[Finding]:
    """Find imports of private names of our other modules, and reads of private attributes except those of ``self``.

    An attribute that the same file assigns, defines or lists in ``__slots__`` belongs to the file, whatever object
    holds it. One that no file of ours assigns or defines belongs to a library, such as PySpark's ``_jvm``.
    """
    own = _own_names(source)
    ours = _names_of_members()
    for found in source.imports:
        if found.name is not None and _is_private(found.name) and found.module.partition(".")[0] in PACKAGES:
            yield Finding(source.module, 1, f"from {found.module} import {found.name}")
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Attribute) and _is_private(node.attr) and node.attr in ours - own:
            yield Finding(source.module, node.lineno, ast.unparse(node)[:80])


# These are public in spite of their names.
_OF_NAMED_TUPLES = {"_replace", "_make", "_asdict", "_fields", "_field_defaults"}


def _own_names(source: SourceFile) -> set[str]:
    names = {function.name for function in source.functions}
    for node in ast.walk(source.tree):
        match node:
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
                names.add(name)
            case ast.Name(id=name) | ast.arg(arg=name):
                names.add(name)
            case ast.Constant(value=str(name)):
                names.add(name)
    return names


@cache
def _names_of_members() -> frozenset[str]:
    return frozenset(
        name
        for source in read_sources().values()
        for node in ast.walk(source.tree)
        for name in _defined_by(node)
        if _is_private(name)
    )


def _defined_by(node: ast.AST) -> list[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return [name]
        case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
            return [name]
        case ast.ClassDef(body=body):
            return [
                part.target.id for part in body if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
            ]
        case _:
            return []


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in _OF_NAMED_TUPLES


def tables_by_function_name(source: SourceFile) -> Iterator[Finding]:
    """Find tables of at least five strings of which four in five are names of built-ins.

    A table is a dict, a set, a list, a tuple, the cases of a ``match``, or a string of words. A fact about a function
    belongs to its entry in a family of ``ir/functions``; the families themselves name parameters, too.
    """
    if source.module.removeprefix("ir.functions.") in FAMILIES:
        return
    for node in ast.walk(source.tree):
        items = _items_of_table(node)
        names = [item for item in items if isinstance(item, str) and item.isidentifier()]
        known = sum(name.upper() in _names_of_functions() for name in names)
        if len(names) >= 5 and len(names) == len(items) and known >= 0.8 * len(names):
            yield Finding(source.module, getattr(node, "lineno", 0), f"{len(names)} names: {', '.join(names[:4])}, …")


def _items_of_table(node: ast.AST) -> list[object]:
    match node:
        case ast.Dict(keys=items) | ast.Set(elts=items) | ast.List(elts=items) | ast.Tuple(elts=items):
            return [item.value if isinstance(item, ast.Constant) else None for item in items]
        case ast.Match(cases=cases):
            patterns = [part for case in cases for part in ast.walk(case.pattern)]
            return [ast.literal_eval(part.value) for part in patterns if _is_constant_pattern(part)]
        case ast.Constant(value=str(text)):
            return list(text.split())
    return []


def _is_constant_pattern(node: ast.AST) -> TypeGuard[ast.MatchValue]:
    return isinstance(node, ast.MatchValue) and isinstance(node.value, ast.Constant)


@cache
def _names_of_functions() -> frozenset[str]:
    names = [name for d in BUILT_INS for name in (d.name, d.sql_name) if name]
    return frozenset(name.upper() for name in names)


MEASURES: dict[str, Callable[[SourceFile], Iterator[Finding]]] = {
    "files under 60 lines": short_files,
    "functions over 60 lines": long_functions,
    "functions of more than 6 parameters": functions_of_many_parameters,
    "imports inside functions": imports_inside_functions,
    "tests of a dialect": tests_of_a_dialect,
    "private members of peers": private_members_of_peers,
    "tables by function name": tables_by_function_name,
}
"""The figures, by the description of what they count."""
