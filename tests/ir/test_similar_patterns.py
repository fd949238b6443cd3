"""SIMILAR TO patterns as regular expressions; the values of the string functions test what they match."""

from __future__ import annotations

import re

import pytest

from ir.errors import ValidationException
from ir.similar_patterns import java_pattern


@pytest.mark.parametrize(
    ("pattern", "escape", "expected"),
    [
        ("", None, ""),
        ("a%_", None, "a(?s:.*)."),
        ("a|(b)*", None, "a|(b)*"),
        ("$1\\", None, "\\$1\\\\"),
        ("!%!_!!", "!", "%_!"),
        ("!(!)", "!", "\\(\\)"),
        ("[a-c]{2,3}", None, "[a-c]{2,3}"),
        ("[^!]]", "!", "[^\\]]"),
        ("[[:Alpha:][:SPACE:]_]".replace("_", ""), None, "[\\p{Alpha} ]"),
        ("日_", None, "日."),
    ],
)
def test_patterns(pattern: str, escape: str | None, expected: str) -> None:
    assert java_pattern(pattern, escape) == f"\\A(?:{expected})\\z"


@pytest.mark.parametrize(
    ("pattern", "escape", "problem"),
    [
        ("a", "!!", "its escape is not one character"),
        ("a!", "!", "after the escape at position 2 stands nothing that it is for"),
        ("!a", "!", "after the escape at position 1 stands nothing that it is for"),
        ("(a", None, "a ( is not closed"),
        ("a)(", None, "the ) at position 2 closes nothing"),
        ("*a", None, "the * at position 1 repeats nothing"),
        ("a|+", None, "the + at position 3 repeats nothing"),
        ("a{x}", None, "the { at position 2 does not repeat anything so many times"),
        ("a]", None, "the ] at position 2 closes nothing"),
        ("[]", None, "the [ at position 1 holds no character"),
        ("[a", None, "the [ at position 1 is not closed"),
        ("[a!", "!", "the [ at position 1 is not closed"),
        ("[a%]", None, "the % at position 3 stands in brackets without an escape"),
        ("[[:word:]]", None, "there is no class of characters [:word:]; there are alpha, upper, lower, digit, alnum, "),
    ],
)
def test_wrong_patterns(pattern: str, escape: str | None, problem: str) -> None:
    with pytest.raises(ValidationException, match=re.escape(f"SIMILAR TO has the pattern {pattern!r}, and {problem}")):
        java_pattern(pattern, escape)
