"""The report of an import as a page of HTML: what a team has to look at first, then the rest; no script, no network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import Final
from urllib.parse import quote

from tableapi.migration.records import Check, ImportReport, Outcome, ViewResult

_ORDER: Final = (Outcome.TEXT, Outcome.UNPROVED, Outcome.PROVED)
_HEADINGS: Final = {
    Outcome.TEXT: "Kept as text",
    Outcome.UNPROVED: "Imported, not proved",
    Outcome.PROVED: "Imported and proved",
}
_MEANINGS: Final = {
    Outcome.TEXT: "These cannot be read. Mend the view at its source, or write it anew; then run the import again.",
    Outcome.UNPROVED: "These have a file in the project. Look at the reason before you deploy them.",
    Outcome.PROVED: "Their columns and queries are the same as before, and so is all else that was compared.",
}
_STYLE: Final = """
:root { color-scheme: light dark; --line: light-dark(#d5d5d5, #444); --soft: light-dark(#f5f5f5, #242424);
  --good: light-dark(#19692c, #79d28d); --look: light-dark(#8a5a00, #e8b450); --bad: light-dark(#a3161b, #ff8f8f); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
a { color: inherit; }
ul.counts { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .5rem 2rem; font-size: 1.1rem; }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .5rem 0; padding: .4rem .8rem; }
summary { cursor: pointer; overflow-wrap: anywhere; }
summary small { opacity: .75; }
pre { background: var(--soft); padding: .6rem; overflow-x: auto; border-radius: .3rem; white-space: pre-wrap; }
mark { background: light-dark(#ffe08a, #7a5c00); color: inherit; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: .6rem 0; }
dt { opacity: .75; } dd { margin: 0; overflow-wrap: anywhere; }
.proved { color: var(--good); } .unproved { color: var(--look); } .text { color: var(--bad); }
div.wide { overflow-x: auto; } table { border-collapse: collapse; } td, th { border: 1px solid var(--line);
  padding: .2rem .6rem; text-align: left; }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .4rem; } }
"""


def report_page(report: ImportReport, texts: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return the page of a report.

    Args:
        report: the report.
        texts: the texts of files, which the page shows with the views that they are of.

    >>> page = report_page(ImportReport("production: <sales>", "imported", ()))
    >>> "production: &lt;sales&gt;" in page
    True
    """
    imported = {view.name for view in report.views}
    noun = "view" if len(report.views) == 1 else "views"
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>Import of {escape(report.origin)}</title>",
        f"<style>{_STYLE}</style>",
        "</head>",
        "<body>",
        f"<h1>Import of {escape(report.origin)}</h1>",
        f"<p>{len(report.views)} {noun}, into <code>{escape(report.folder)}</code>.</p>",
        '<ul class="counts">',
        *[_count(outcome, report.counts[outcome.value]) for outcome in _ORDER],
        "</ul>",
        *_paragraph("Written besides views", [*report.tables, *report.functions]),
        *_paragraph("Left as they are, because somebody edited them, or they are not of an import", report.left),
        *_paragraph("Statements that are no views, and were left out", report.skipped),
    ]
    for outcome in _ORDER:
        views = [view for view in report.views if view.outcome is outcome]
        if views:
            parts.append(f'<h2 id="{outcome.value}" class="{outcome.value}">{_HEADINGS[outcome]}</h2>')
            parts.append(f"<p>{_MEANINGS[outcome]}</p>")
            parts += [line for view in views for line in _view(view, imported, texts.get(view.file, ""))]
    return "\n".join([*parts, "</body>", "</html>", ""])


def _count(outcome: Outcome, number: int) -> str:
    shown = f"{number} {_HEADINGS[outcome].lower()}"
    return f'<li class="{outcome.value}">' + (
        f'<a href="#{outcome.value}">{shown}</a></li>' if number else f"{shown}</li>"
    )


def _paragraph(heading: str, names: Sequence[str]) -> list[str]:
    return [f"<p>{heading}: {', '.join(f'<code>{escape(name)}</code>' for name in names)}.</p>"] if names else []


def _view(view: ViewResult, imported: set[str], text: str) -> list[str]:
    is_open = " open" if view.outcome is not Outcome.PROVED else ""
    reads = ", ".join(
        f'<a href="#{escape(_anchor(name))}">{escape(name)}</a>' if name in imported else escape(name)
        for name in view.reads
    )
    facts = [
        ("File", f"<code>{escape(view.place)}</code>" if view.file else ""),
        ("From", f"<code>{escape(view.origin)}</code>" if view.origin else ""),
        ("Form", escape(view.form.value)),
        ("Reads", reads),
        ("Compared", escape(", ".join(compared(view)))),
        *[("Note", escape(note)) for note in view.notes],
    ]
    lines = [f'<details id="{escape(_anchor(view.name))}"{is_open}>', f"<summary>{escape(view.name)}"]
    first = view.reason.partition("\n")[0]
    lines.append(f"<small>{escape(first)}</small></summary>" if first else "</summary>")
    if view.reason:
        lines.append(f"<pre>{escape(view.reason)}</pre>")
    lines += ["<dl>", *[f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts if value], "</dl>"]
    if view.proof.sample:
        lines.append('<div class="wide"><table><caption>Rows that only one side has</caption>')
        lines += [f"<tr>{''.join(f'<td>{escape(value)}</td>' for value in row)}</tr>" for row in view.proof.sample]
        lines.append("</table></div>")
    if text:
        lines.append(f"<details{is_open}><summary>Text</summary><pre>{_marked(text, view.line)}</pre></details>")
    return [*lines, "</details>"]


def _marked(text: str, number: int) -> str:
    """Return the lines of a text, of which the one with the given number is marked; 0 for none."""
    lines = [escape(line) for line in text.rstrip("\n").split("\n")]
    if 0 < number <= len(lines):
        lines[number - 1] = f"<mark>{lines[number - 1]}</mark>"
    return "\n".join(lines)


def compared(view: ViewResult) -> list[str]:
    """Return in words what was compared between a view and what it became."""
    proof = view.proof
    checks = (("columns", proof.columns), ("query", proof.tree), ("Spark's plan", proof.plan), ("all rows", proof.rows))
    return [f"{what} {_CHECKS[check]}" for what, check in checks if check is not Check.NOT_MADE]


_CHECKS: Final = {Check.SAME: "the same", Check.DIFFERENT: "different"}


def _anchor(name: str) -> str:
    """Return the identifier of a view, which has no blanks."""
    return f"view-{quote(name, errors='backslashreplace')}"
