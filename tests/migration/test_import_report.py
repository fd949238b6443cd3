"""The report of an import: as JSON, as a page, in the terminal, and as an exit code."""

from __future__ import annotations

import json
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tableapi.command_line import main
from tableapi.migration.page import report_page
from tableapi.migration.records import Check, Form, ImportReport, Outcome, Proof, ViewResult
from tests.migration.imports import write_target, write_view
from tests.project.projects import write

_VOID = {"meta"}
_TEXTS = st.text(max_size=12) | st.sampled_from(["<b>&amp;</b>", '"', "'", "</details>", "a\nb", "]]>", "<!--", "ä ö"])
_TUPLES = st.lists(_TEXTS, max_size=2).map(tuple)
_NUMBERS = st.integers(0, 9)
_PROOFS = st.builds(
    Proof,
    *[st.sampled_from(Check)] * 4,
    details=_TUPLES,
    sample=st.lists(st.lists(_TEXTS, min_size=1, max_size=3).map(tuple), max_size=2).map(tuple),
)
_VIEWS = st.builds(
    ViewResult,
    name=_TEXTS,
    outcome=st.sampled_from(Outcome),
    form=st.sampled_from(Form),
    file=_TEXTS,
    reason=_TEXTS,
    line=_NUMBERS,
    column=_NUMBERS,
    notes=_TUPLES,
    proof=_PROOFS,
    reads=_TUPLES,
    origin=_TEXTS,
    is_resumed=st.booleans(),
)
_REPORTS = st.builds(
    ImportReport,
    _TEXTS,
    _TEXTS,
    st.lists(_VIEWS, max_size=4, unique_by=lambda view: view.name).map(tuple),
    *[_TUPLES] * 4,
)


class _Page(HTMLParser):
    """Reads a page, whose elements have to be nested."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.identifiers: list[str] = []
        self.links: list[str] = []
        self.elements: Counter[str] = Counter()
        self.texts: dict[str, list[str]] = {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements[tag] += 1
        self.texts.setdefault(tag, []).append("")
        given = dict(attributes)
        assert set(given) <= {"id", "class", "href", "open", "lang", "charset", "name", "content"}
        self.identifiers += [value for key, value in attributes if key == "id" and value is not None]
        self.links += [value for key, value in attributes if key == "href" and value is not None]
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        for tag in set(self.open):
            self.texts[tag][-1] += data


@given(_REPORTS)
def test_a_page_is_well_formed_and_has_every_view_once(report: ImportReport) -> None:
    page = _Page(report_page(report))
    assert page.open == []
    assert set(page.elements) <= {
        *("html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "ul", "li", "a", "code", "details"),
        *("summary", "small", "pre", "dl", "dt", "dd", "div", "table", "caption", "tr", "td"),
    }
    assert page.elements["details"] == len(report.views)
    assert len(set(page.identifiers)) == len(page.identifiers)
    assert not any(any(c.isspace() for c in found) for found in page.identifiers)
    assert {link.removeprefix("#") for link in page.links} <= set(page.identifiers)
    # What was escaped reads as it was.
    names = [f"{view.name}\n{view.reason.partition(chr(10))[0]}" for view in report.views]
    assert sorted(page.texts.get("summary", [])) == sorted(names)
    reasons = sorted(view.reason for view in report.views if view.reason)
    assert sorted(page.texts.get("pre", [])) == reasons


@given(_REPORTS)
def test_a_page_shows_the_text_of_each_file(report: ImportReport) -> None:
    lines = ["SELECT '</pre>' AS <a>", "FROM &t;"]
    page = _Page(report_page(report, {view.file: "\n".join(lines) + "\n" for view in report.views}))
    assert page.open == []
    texts = ["\n".join(lines)] * len(report.views)
    assert sorted(page.texts.get("pre", [])) == sorted([*texts, *[view.reason for view in report.views if view.reason]])
    marked = [lines[view.line - 1] for view in report.views if view.line in (1, 2)]
    assert sorted(page.texts.get("mark", [])) == sorted(marked)


@given(_VIEWS)
def test_a_result_is_remembered_as_it_was(view: ViewResult) -> None:
    assert ViewResult.from_json(json.loads(json.dumps(view.to_json()))) == view


@given(_REPORTS)
def test_the_document_has_all_fields(report: ImportReport) -> None:
    document = json.loads(json.dumps(report.to_json()))
    assert list(document) == [
        *("origin", "folder", "counts", "resumed", "views", "tables", "functions", "left", "skipped"),
    ]
    assert sum(document["counts"].values()) == len(document["views"]) == len(report.views)
    assert set(document["counts"]) == {"proved", "unproved", "text"}
    assert document["resumed"] == sum(view["is_resumed"] for view in document["views"])
    for view in document["views"]:
        assert list(view) == [
            *("name", "outcome", "form", "file", "reason", "line", "column", "notes", "proof", "reads", "origin"),
            "is_resumed",
        ]
        assert list(view["proof"]) == ["columns", "tree", "plan", "rows", "details", "sample"]


@pytest.mark.parametrize(
    ("proof", "is_complete"),
    [
        (Proof(Check.SAME, Check.SAME), True),
        (Proof(Check.SAME, Check.SAME, Check.SAME), True),
        (Proof(Check.SAME, Check.SAME, Check.DIFFERENT), False),
        (Proof(Check.SAME, Check.SAME, Check.DIFFERENT, Check.SAME), True),
        (Proof(Check.SAME, Check.SAME, Check.SAME, Check.DIFFERENT), False),
        (Proof(Check.SAME, Check.DIFFERENT, Check.SAME, Check.SAME), False),
        (Proof(Check.DIFFERENT, Check.SAME), False),
        (Proof(), False),
    ],
)
def test_what_proves_a_view(proof: Proof, is_complete: bool) -> None:
    assert proof.is_complete == is_complete


# --- the commands ----------------------------------------------------------------------------------------------------


def test_the_terminal_shows_what_has_to_be_looked_at(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_target(tmp_path, {"sales.fine": "SELECT id FROM orders", "sales.bad": "SELECT id,\n  nope FROM orders"})
    arguments = ["import-views", "files", "sales", "--to", str(tmp_path / "imported"), "-C", str(tmp_path)]
    assert main(arguments) == 1
    shown = capsys.readouterr()
    lines = shown.out.splitlines()
    assert lines[0] == "sales.bad: kept as text  unreadable/sales/bad.sql:6:3"
    assert lines[1] == "    Cannot resolve field [nope], input field list:[id, customer, amount, day]."
    assert lines[2] == "2 views: 1 imported and proved, 0 imported, not proved, 1 kept as text."
    assert lines[3].startswith("Report: ")
    assert len(lines) == 4
    # What was done is said on stderr, so that stdout has the report alone.
    assert "imported and proved sales.fine" in shown.err
    assert main(arguments) == 1
    assert capsys.readouterr().out.splitlines()[2].endswith("1 kept as text (2 by an earlier run).")
    write_view(tmp_path, "sales.bad", "SELECT id FROM fine")
    assert main(arguments) == 0
    assert capsys.readouterr().out.splitlines()[0] == (
        "2 views: 2 imported and proved, 0 imported, not proved, 0 kept as text (1 by an earlier run)."
    )
    write(tmp_path, "imported/catalog/sales/views/bad.sql", "CREATE VIEW bad AS SELECT 1L AS id;\n")
    assert main(arguments) == 1
    out = capsys.readouterr().out
    assert "sales.bad: imported, not proved  catalog/sales/views/bad.sql\n    compared: columns " in out
    assert "left as it is, because somebody edited it, or it is not of an import: catalog/sales/views/bad.sql" in out
    assert main([*arguments, "--overwrite-edited"]) == 0


def test_the_reports_in_the_folder_are_of_the_last_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = write(
        tmp_path, "a.sql", "CREATE VIEW v AS SELECT '<x>' AS a;\nDROP TABLE t;\nCREATE VIEW w AS SELECT b FROM v;"
    )
    arguments = ["import-sql", str(script), "--to", str(tmp_path / "out")]
    for resumed in (0, 2):
        assert main([*arguments, "--json"]) == 1
        printed = json.loads(capsys.readouterr().out)
        assert (printed.pop("verb"), printed["resumed"]) == ("import-sql", resumed)
        written = json.loads((tmp_path / "out/import-report.json").read_text())
        assert written.pop("verb") == "import"
        assert written == printed
        assert printed["skipped"] == [f"{script}:2: DROP TABLE t"]
    page = _Page((tmp_path / "out/import-report.html").read_text())
    # Each view, and within it its text.
    assert page.elements["details"] == 4
    assert main(arguments) == 1
    assert f"no view, left out: {script}:2: DROP TABLE t" in capsys.readouterr().out


def test_what_cannot_be_done_has_the_exit_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_target(tmp_path, {"sales.fine": "SELECT id FROM orders"})
    to = ["--to", str(tmp_path / "imported"), "-C", str(tmp_path)]
    assert main(["import-views", "files", "salse", *to]) == 2
    assert "Did you mean 'sales'?" in capsys.readouterr().err
    assert main(["import-views", "fils", "sales", *to, "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"].endswith("Did you mean 'files'?")
    assert not (tmp_path / "imported").exists()
