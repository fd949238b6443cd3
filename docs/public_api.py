"""The public names of the library with their signatures: what ``docs/public-api.txt`` and the reference are made from.

A name is public if a module of ``MODULES`` exports it, or if it is a member without an underscore of such a class.
"""

from __future__ import annotations

import enum
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

LIST = Path(__file__).with_name("public-api.txt")
_HEAD = """\
# Public names with their signatures, made by `python docs/build.py`; docs/stability.md says what they promise.
# A name that is removed or changed is named in CHANGELOG.md, or tests/docs/test_public_api.py fails.
"""
# Modules whose names users import, each before those that export its names again.
MODULES = (
    "tableapi",
    "tableapi.expressions",
    "tableapi.types",
    "tableapi.window",
    "tableapi.udf",
    "tableapi.process_functions",
    "tableapi.inference",
    "tableapi.catalog",
    "tableapi.exceptions",
    "tableapi.expression",
    "tableapi.row_statements",
    "tableapi.testing",
    "tableapi.table",
    "tableapi.table_descriptor",
    "tableapi.table_schema",
    "tableapi.schema",
    "tableapi.result",
    "tableapi.statement_set",
    "tableapi.environment_settings",
)


@dataclass(frozen=True)
class PublicName:
    """A public name.

    Attributes:
        path: the name with its module, and with its class if it is a member.
        kind: ``class``, ``function``, ``method``, ``property``, ``member`` of an enumeration, ``value`` or ``alias``.
        signature: the parameters with the result's type; of an alias, the path that it is the same as; else empty.
        doc: the docstring, empty if there is none.
        removed_in: the version that removes a deprecated name; empty for others.
    """

    path: str
    kind: str
    signature: str = ""
    doc: str = ""
    removed_in: str = ""

    @property
    def line(self) -> str:
        """The line of the list."""
        joint = " = " if self.kind == "alias" else ""
        end = f"  # deprecated, removed in {self.removed_in}" if self.removed_in else ""
        return f"{self.kind} {self.path}{joint}{self.signature}{end}"


def public_names() -> Iterator[PublicName]:
    """Yield all public names, by module and class."""
    seen: dict[int, str] = {}
    for module_name in MODULES:
        module = import_module(module_name)
        for name in sorted(module.__all__):
            found = getattr(module, name)
            path = f"{module_name}.{name}"
            has_identity = inspect.isclass(found) or inspect.isfunction(found)
            if has_identity and id(found) in seen:
                yield PublicName(path, "alias", seen[id(found)])
                continue
            seen[id(found)] = path
            if inspect.isclass(found):
                yield PublicName(path, "class", _constructor(found), _own_doc(found))
                yield from members(path, found)
            elif inspect.isroutine(found):
                yield PublicName(path, "function", signature(found), inspect.getdoc(found) or "", _removal(found))
            else:
                yield PublicName(path, "value")


def members(path: str, owner: type) -> Iterator[PublicName]:
    """Yield the public members of a class that a class of ours defines."""
    for name in sorted(dir(owner)):
        definer = next((c for c in owner.__mro__ if name in vars(c)), None)
        if name.startswith("_") or definer is None or definer.__module__.partition(".")[0] not in ("tableapi", "ir"):
            continue
        # Members that are functions of SQL are made on first use.
        getattr(owner, name, None)
        static = inspect.getattr_static(owner, name)
        place = f"{path}.{name}"
        doc = inspect.getdoc(static) or ""
        if isinstance(static, enum.Enum):
            yield PublicName(place, "member")
        elif isinstance(static, (staticmethod, classmethod)):
            function = static.__func__
            doc = inspect.getdoc(function) or ""
            yield PublicName(place, "method", signature(function), doc, _removal(function))
        elif inspect.isfunction(static):
            yield PublicName(place, "method", signature(static), doc, _removal(static))
        elif isinstance(static, (str, int, float, tuple, frozenset)):
            yield PublicName(place, "value")
        else:
            is_slot = inspect.ismemberdescriptor(static)
            removal = _removal(getattr(static, "fget", None))
            yield PublicName(place, "property", "", "" if is_slot else doc, removal)


def _removal(function: object) -> str:
    """Return the version that removes a function, empty if it is not deprecated."""
    facts = vars(function).get("deprecation") if inspect.isfunction(function) else None
    return "" if facts is None else str(facts.removed_in)


def _own_doc(owner: type) -> str:
    """Return the docstring of a class, but not one that it inherits from a class of Python."""
    return inspect.cleandoc(owner.__doc__) if owner.__doc__ else ""


def _constructor(owner: type) -> str:
    if issubclass(owner, (enum.Enum, BaseException)):
        return ""
    own = next((c for c in owner.__mro__ if "__init__" in vars(c) or "__new__" in vars(c)), object)
    if own.__module__.partition(".")[0] not in ("tableapi", "ir"):
        return ""
    try:
        return signature(owner)
    except (TypeError, ValueError):
        return ""


def signature(found: Callable[..., Any]) -> str:
    """Return the signature as text that is the same on every version of Python.

    >>> def add(a: int, *, b: "int | None" = None) -> int: ...
    >>> signature(add)
    '(a: int, *, b: int | None = None) -> int'
    """
    described = inspect.signature(found)
    written: list[str] = []
    seen_star = False
    previous: Any = None
    for parameter in described.parameters.values():
        if previous is inspect.Parameter.POSITIONAL_ONLY and parameter.kind is not previous:
            written.append("/")
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not seen_star:
            written.append("*")
            seen_star = True
        seen_star = seen_star or parameter.kind is inspect.Parameter.VAR_POSITIONAL
        written.append(_parameter(parameter))
        previous = parameter.kind
    if previous is inspect.Parameter.POSITIONAL_ONLY:
        written.append("/")
    result = described.return_annotation
    arrow = "" if result is inspect.Signature.empty else f" -> {_annotation(result)}"
    return f"({', '.join(written)}){arrow}"


def _parameter(parameter: inspect.Parameter) -> str:
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    has_type = parameter.annotation is not inspect.Parameter.empty
    text = f"{stars}{parameter.name}" + (f": {_annotation(parameter.annotation)}" if has_type else "")
    if parameter.default is inspect.Parameter.empty:
        return text
    return f"{text} = {_default(parameter.default)}" if has_type else f"{text}={_default(parameter.default)}"


def _annotation(annotation: Any) -> str:
    if isinstance(annotation, str):
        # A forward reference within an annotation that is text itself.
        return annotation.strip("'\"")
    return annotation.__name__ if isinstance(annotation, type) else str(annotation)


def _default(value: Any) -> str:
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, type):
        return value.__name__
    return "..." if inspect.isroutine(value) else repr(value)


def listing() -> str:
    """Return the text of the list."""
    return _HEAD + "\n".join(name.line for name in public_names()) + "\n"


def as_markdown(doc: str) -> str:
    """Return a docstring as Markdown: sections as lists, examples as blocks."""
    made: list[str] = []
    for block in re.split(r"\n\s*\n", doc):
        first, _, rest = block.partition("\n")
        if first in _SECTIONS and rest:
            made += [f"**{_SECTIONS[first]}**", _items(rest)]
        elif block.lstrip().startswith(">>>"):
            made.append(f"```pycon\n{textwrap.dedent(block)}\n```")
        elif block.startswith("    "):
            made.append(f"```text\n{textwrap.dedent(block)}\n```")
        elif rest.startswith("    ") and first.endswith(":"):
            made += [_prose(first), f"```text\n{textwrap.dedent(rest)}\n```"]
        else:
            made.append(_prose(block))
    return "\n\n".join(made)


_SECTIONS = {
    "Args:": "Parameters",
    "Attributes:": "Attributes",
    "Raises:": "Raises",
    "Returns:": "Returns",
    "Yields:": "Yields",
    "Type parameters:": "Type parameters",
}


def _prose(text: str) -> str:
    """Return a paragraph as Markdown, whose marks are those of the docstring."""
    parts = re.split(r"(``.*?``)", text, flags=re.DOTALL)
    return "".join(
        f"`{part[2:-2]}`" if index % 2 else re.sub(r"([*_<])", r"\\\1", part) for index, part in enumerate(parts)
    )


def _items(text: str) -> str:
    """Return the entries of a section as a list; a section without names is prose."""
    entries = re.split(r"\n(?=\S)", textwrap.dedent(text))
    made = []
    for entry in entries:
        joined = " ".join(line.strip() for line in entry.splitlines())
        named = re.match(r"(\*{0,2}[\w., ]+?): (.*)", joined)
        made.append(f"- `{named[1]}`: {_prose(named[2])}" if named else f"- {_prose(joined)}")
    return "\n".join(made)
