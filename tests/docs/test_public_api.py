"""The promise: public names stay, or the changelog names them, and deprecations have had their time."""

from __future__ import annotations

import doctest
import warnings

import pytest

from docs import releases as releases_module
from docs.public_api import PublicName, members, public_names, signature
from docs.releases import (
    CHANGELOG,
    Release,
    is_released,
    names_today,
    outlived,
    releases,
    unannounced_names,
    unannounced_texts,
)
from tableapi import __version__
from tableapi.deprecation import deprecated

LOG = "# Changelog\n\n## 0.2.0 (unreleased)\n\n{}\n\n## 0.1.0 (2026-12-01)\n\n- `Table.old` is new; `f` too.\n"
OLD = Release(
    "0.1.0",
    {
        "tableapi.Table": "class tableapi.Table",
        "tableapi.Table.old": "method tableapi.Table.old(self) -> Table",
        "tableapi.Table.kept": "method tableapi.Table.kept(self) -> Table",
        "tableapi.expressions.f": "function tableapi.expressions.f(a)",
    },
    {"joins": "SELECT 1\n", "gone": "SELECT 2\n"},
)


def test_names_are_kept_or_the_changelog_names_them() -> None:
    changelog = CHANGELOG.read_text(encoding="utf-8")
    today = names_today()
    assert len(today) > 1000
    for release in releases():
        assert unannounced_names(release, today, changelog) == []


def test_each_release_has_its_file() -> None:
    versions = {release.version for release in releases()}
    assert __version__ in versions
    assert all(len(release.names) > 1000 and len(release.texts) > 400 for release in releases())


def test_no_deprecation_has_outlived_its_version() -> None:
    names = [(name.path, name.removed_in) for name in public_names() if name.removed_in]
    assert outlived(names, __version__) == []


@pytest.mark.parametrize(
    ("today", "news", "expected"),
    [
        (dict(OLD.names), "", []),
        ({**OLD.names, "tableapi.g": "function tableapi.g()"}, "", []),
        (
            {path: line for path, line in OLD.names.items() if not path.endswith("old")},
            "- Other things.",
            ["tableapi.Table.old was removed, and CHANGELOG.md does not name it"],
        ),
        ({path: line for path, line in OLD.names.items() if not path.endswith("old")}, "- `Table.old` is gone.", []),
        # The method of another class may be meant.
        (
            {path: line for path, line in OLD.names.items() if not path.endswith("old")},
            "- `old` is gone.",
            ["tableapi.Table.old was removed, and CHANGELOG.md does not name it"],
        ),
        (
            {**OLD.names, "tableapi.expressions.f": "function tableapi.expressions.f(a, b)"},
            "",
            [
                "tableapi.expressions.f was 'function tableapi.expressions.f(a)', "
                "and is 'function tableapi.expressions.f(a, b)', and CHANGELOG.md does not name it"
            ],
        ),
        ({**OLD.names, "tableapi.expressions.f": "function tableapi.expressions.f(a, b)"}, "- `f(a, b)`: b.", []),
    ],
)
def test_a_changed_name_in_a_pretended_release(today: dict[str, str], news: str, expected: list[str]) -> None:
    assert unannounced_names(OLD, today, LOG.format(news)) == expected


def test_a_changed_emission_in_a_pretended_release() -> None:
    today = {"joins": "SELECT 1 AS a\n", "new": "SELECT 3\n"}
    assert unannounced_texts(OLD, today, LOG.format("- `joins`")) == ["joins"]
    assert unannounced_texts(OLD, today, LOG.format("### Emitted SQL\n\n- Names, so that …")) == []
    assert unannounced_texts(OLD, {"joins": "SELECT 1\n"}, LOG.format("")) == []


def test_a_release_does_not_change_any_more() -> None:
    assert is_released("0.1.0", LOG)
    assert not is_released("0.2.0", LOG)


def test_examples() -> None:
    found = doctest.testmod(releases_module)
    assert found.attempted == 6
    assert found.failed == 0


class Owner:
    @deprecated(since="0.2.0", date="2027-01-31", removed_in="0.4.0", instead="Owner.new")
    def old(self, number: int) -> int:
        """Return the number."""
        return number

    @property
    @deprecated(since="0.2.0", date="2027-01-31", removed_in="0.4.0", instead="Owner.new")
    def size(self) -> int:
        """The size."""
        return 2


Owner.__module__ = "tableapi.pretended"


def test_a_deprecated_method() -> None:
    with pytest.warns(DeprecationWarning, match="old is deprecated since version 0.2.0 of 2027-01-31") as shown:
        assert Owner().old(3) == 3
    assert shown[0].filename == __file__
    with pytest.warns(DeprecationWarning, match="Use Owner.new."):
        assert Owner().size == 2
    assert str(Owner.old.__doc__).startswith("Return the number.\n\nOwner.old is deprecated")


def test_a_deprecated_name_is_listed_with_its_end() -> None:
    assert [(name.line, name.removed_in) for name in members("tableapi.Owner", Owner)] == [
        (
            "method tableapi.Owner.old(self, number: int) -> int  # deprecated, removed in 0.4.0",
            "0.4.0",
        ),
        ("property tableapi.Owner.size  # deprecated, removed in 0.4.0", "0.4.0"),
    ]


def test_a_deprecation_needs_a_date() -> None:
    with pytest.raises(ValueError, match="Invalid isoformat"):
        deprecated(since="0.2.0", date="soon", removed_in="0.4.0", instead="f")


def test_a_warning_leads_to_the_user_through_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    from tableapi import deprecation

    def outer() -> int:
        return Owner().old(1)

    # As if this function were one of the library.
    monkeypatch.setattr(deprecation, "_PACKAGES", ("<library>",))
    scope: dict[str, object] = {"Owner": Owner}
    exec(compile("def outer():\n    return Owner().old(1)", "<library>", "exec"), scope)
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        scope["outer"]()  # type: ignore[operator]
    assert shown[0].filename == __file__


def test_signatures() -> None:
    def function(a: int, /, b: str = "x", *c: int | None, d: type = int, **e: object) -> list[int]: ...

    assert signature(function) == ("(a: int, /, b: str = 'x', *c: int | None, d: type = int, **e: object) -> list[int]")
    assert PublicName("tableapi.a.B", "alias", "tableapi.B").line == "alias tableapi.a.B = tableapi.B"
