"""The reference of the API as pages: an index, a page for each module, and one for each class with members."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module

from docs.public_api import MODULES, PublicName, as_markdown, public_names
from docs.website.gallery import sql_of
from docs.website.member_examples import SETUP, member_examples
from docs.website.pages import Page, anchor
from docs.website.program_code import examples, program_code

_MOST_LINES = 25
_INDEX = """\
# API reference

The public names of the library, made from their docstrings. [Stability](../stability.md) says what they promise.

| module | content |
|---|---|
"""


def reference_pages() -> dict[str, Page]:
    """Return the pages by their paths."""
    names = list(public_names())
    own_pages = {name.path for name in names if name.kind == "class" and _has_page(name, names)}
    index = Page("reference/index.md", _INDEX)
    pages = {index.path: index}
    for module in MODULES:
        page = Page(f"reference/{module}.md", _module_text(module, names, own_pages))
        pages[page.path] = page
        index.children.append(page.path)
        index.text += f"| [`{module}`]({module}.md) | {_first_sentence(import_module(module).__doc__ or '')} |\n"
        for name in names:
            if name.path in own_pages and _owner(name.path) == module:
                pages[f"reference/{name.path}.md"] = Page(
                    f"reference/{name.path}.md", _class_text(name, list(_members_of(name, names)))
                )
                page.children.append(f"reference/{name.path}.md")
    return pages


def _owner(path: str) -> str:
    return path.rpartition(".")[0]


def _members_of(owner: PublicName, names: Iterable[PublicName]) -> Iterator[PublicName]:
    return (name for name in names if _owner(name.path) == owner.path)


def _has_page(owner: PublicName, names: Iterable[PublicName]) -> bool:
    """Whether a class has a page of its own: enumerations, errors and records stand on the page of their module."""
    return any(member.kind == "method" and member.doc for member in _members_of(owner, names))


def _first_sentence(doc: str) -> str:
    paragraph = " ".join(doc.split("\n\n")[0].split())
    return as_markdown(paragraph).replace("|", "\\|")


def _module_text(module: str, names: list[PublicName], own_pages: set[str]) -> str:
    members = [name for name in names if _owner(name.path) == module]
    lines = [f"# {module}", "", as_markdown(import_module(module).__doc__ or ""), ""]
    lines += ["| name | content |", "|---|---|"]
    for name in members:
        lines.append(f"| {_link(name, own_pages)} | {_summary(name)} |")
    lines.append("")
    for name in members:
        if name.kind in ("function", "class") and name.path not in own_pages:
            lines += _entry(name, 2)
            for member in _members_of(name, names):
                lines += _entry(member, 3) if member.kind == "method" else []
            lines += _short_list(list(_members_of(name, names)))
    return "\n".join(lines)


def _link(name: PublicName, own_pages: set[str]) -> str:
    short = name.path.rpartition(".")[2]
    path = name.signature if name.kind == "alias" else name.path
    if path in own_pages:
        return f"[`{short}`]({path}.md)"
    if name.kind == "value":
        return f"`{short}`"
    heading = path.rpartition(".")[2]
    return f"[`{short}`]({_owner(path)}.md#{anchor(heading)})"


def _summary(name: PublicName) -> str:
    if name.kind == "alias":
        return f"the same as `{name.signature}`"
    return _first_sentence(name.doc)


def _class_text(owner: PublicName, members: list[PublicName]) -> str:
    short = owner.path.rpartition(".")[2]
    lines = [f"# {short}", "", f"`{owner.path}`", "", *_entry(owner, 0)]
    own = member_examples().get(short)
    if own is not None:
        lines += ["The examples of members begin with this:", "", own[SETUP], ""]
    described = [member for member in members if member.doc and member.kind in ("method", "property")]
    lines += _short_list([member for member in members if member not in described])
    for member in described:
        lines += _entry(member, 2, short)
    return "\n".join(lines)


def _entry(name: PublicName, level: int, owner: str = "") -> list[str]:
    """Return a name with its signature and its docstring, below a heading of a level."""
    short = name.path.rpartition(".")[2]
    heading = f"{owner}.{short}" if owner else short
    lines = [f"{'#' * level} {heading}", ""] if level else []
    parameters = name.signature.replace("(self, ", "(").replace("(self)", "()")
    if parameters and name.kind != "alias":
        if name.kind == "class":
            parameters = parameters.removesuffix(" -> None")
        lines += ["```python", f"{_wrapped(short, parameters)}", "```", ""]
    lines += [as_markdown(name.doc), ""] if name.doc else []
    return [*lines, *_example(name)]


def _example(name: PublicName) -> list[str]:
    """Return an example of the member's class or from the test programs, if the docstring has none."""
    if ">>>" in name.doc:
        return []
    owner, _, short = name.path.rpartition(".")
    own = member_examples().get(owner.rpartition(".")[2], {})
    if short in own and name.kind in ("method", "property"):
        return ["For example:", "", own[short], ""]
    program = examples().get(name.path)
    if program is None:
        return []
    code, sql = program_code()[program], sql_of(program).rstrip()
    if code.count("\n") > _MOST_LINES or sql.count("\n") > _MOST_LINES:
        return []
    return [
        "For example, with the [tables of the gallery](../gallery/index.md#the-tables):",
        "",
        *_fence("python", code),
        "Its SQL:",
        "",
        *_fence("sql", sql),
    ]


def _fence(language: str, text: str) -> list[str]:
    return [f"```{language}", text, "```", ""]


def _wrapped(name: str, parameters: str) -> str:
    """Return a signature with a line for each parameter if it is long."""
    if len(name) + len(parameters) <= 90:
        return f"{name}{parameters}"
    depth, parts, start = 0, [], 1
    for place, char in enumerate(parameters):
        depth += (char in "([{") - (char in ")]}")
        if (char == "," and depth == 1) or (depth == 0 and char == ")"):
            parts.append(parameters[start:place].strip())
            start = place + 1
            if depth == 0:
                break
    return f"{name}(\n" + "".join(f"    {part},\n" for part in parts if part) + f"){parameters[start:]}"


def _short_list(members: list[PublicName]) -> list[str]:
    """Return the members that have no docstring of their own in a line."""
    shown = [member for member in members if member.kind in ("member", "value", "property")]
    names = ", ".join(f"`{member.path.rpartition('.')[2]}`" for member in shown)
    return [f"Members: {names}.", ""] if shown else []
