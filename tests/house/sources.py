"""The source files of the project as syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from attrs import frozen

ROOT = Path(__file__).parents[2]
PACKAGES = ("ir", "serializer", "grammar", "tableapi")
# Written by ``python -m tableapi.stubs``.
GENERATED = {"ir.functions.index", "ir.functions.form_index"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Import(NamedTuple):
    """A module that a source file imports."""

    module: str
    name: str | None
    """The name imported from the module, None for ``import module``."""
    in_function: bool


@frozen(slots=False)
class SourceFile:
    """A Python file of one of the four packages."""

    module: str
    path: Path
    text: str

    @property
    def package(self) -> str:
        """The top-level package."""
        return self.module.partition(".")[0]

    @property
    def lines(self) -> int:
        """The number of lines, including blank ones."""
        return self.text.count("\n")

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree."""
        return ast.parse(self.text, str(self.path))

    @cached_property
    def functions(self) -> list[Function]:
        """The functions and methods, including nested ones."""
        return [node for node in ast.walk(self.tree) if isinstance(node, Function)]

    @cached_property
    def imports(self) -> list[Import]:
        """The imports, including those inside functions and under ``TYPE_CHECKING``."""
        inside = {id(node) for function in self.functions for node in ast.walk(function)}
        found = []
        for node in ast.walk(self.tree):
            in_function = id(node) in inside
            if isinstance(node, ast.ImportFrom) and node.module is not None and not node.level:
                found += [Import(node.module, alias.name, in_function) for alias in node.names]
            elif isinstance(node, ast.Import):
                found += [Import(alias.name, None, in_function) for alias in node.names]
        return found


@cache
def read_sources(root: Path = ROOT) -> dict[str, SourceFile]:
    """Read every source file, by module name; once, since the syntax trees of all take seconds.

    Args:
        root: the directory that contains the four packages.
    """
    found = {}
    for path in _paths(root):
        parts = path.relative_to(root).with_suffix("").parts
        module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if module not in GENERATED:
            found[module] = SourceFile(module, path, path.read_text(encoding="utf-8"))
    return found


def _paths(root: Path) -> Iterator[Path]:
    for package in PACKAGES:
        yield from sorted((root / package).rglob("*.py"))


def import_circles(sources: dict[str, SourceFile]) -> list[list[str]]:
    """Return the groups of modules that import each other, directly or through others; the largest group first.

    Imports inside functions and under ``TYPE_CHECKING`` count. An import of a package's member that is itself a module
    counts only for that module, because the package's ``__init__`` only leads to it.

    Args:
        sources: the source files by module.
    """
    graph = {
        module: {target for found in source.imports if (target := _target(found, sources)) not in (None, module)}
        for module, source in sources.items()
    }
    return sorted((group for group in _components(graph) if len(group) > 1), key=lambda g: (-len(g), g))


def _target(found: Import, sources: dict[str, SourceFile]) -> str | None:
    if found.name is not None and f"{found.module}.{found.name}" in sources:
        return f"{found.module}.{found.name}"
    return found.module if found.module in sources else None


def _components(graph: dict[str, set[str | None]]) -> list[list[str]]:
    """Return the strongly connected components (Tarjan, without recursion)."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    components = []
    for start in graph:
        if start in order:
            continue
        work = [(start, iter(sorted(filter(None, graph[start]))))]
        order[start] = lowest[start] = len(order)
        stack.append(start)
        on_stack.add(start)
        while work:
            module, targets = work[-1]
            for target in targets:
                if target not in order:
                    order[target] = lowest[target] = len(order)
                    stack.append(target)
                    on_stack.add(target)
                    work.append((target, iter(sorted(filter(None, graph[target])))))
                    break
                if target in on_stack:
                    lowest[module] = min(lowest[module], order[target])
            else:
                work.pop()
                if work:
                    lowest[work[-1][0]] = min(lowest[work[-1][0]], lowest[module])
                if lowest[module] == order[module]:
                    cut = stack.index(module)
                    components.append(sorted(stack[cut:]))
                    on_stack.difference_update(stack[cut:])
                    del stack[cut:]
    return components
