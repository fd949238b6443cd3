"""How the file of a version, and what this library writes for it, agree with what that Spark answers.

The answers of ``tests.versions.facts`` are those to the text for the newest Spark. A call that is written otherwise for
the version is asked about in that form, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs

from ir.dialects.call_traits import call_traits
from ir.errors import TableException
from ir.targets.target import Target
from tests.versions.calls import Asked
from tests.versions.facts import Answers, differences, is_general, result_of
from tests.versions.files import REFUSED, SAME, expected_result
from tests.versions.sparks import Spark, target_of

WHOLE: Final = ("release", "types", "syntax", "settings", "other_answers", "defaults", "names", "named_arguments")
"""Parts of a file that no sample of calls decides."""
NOT_EXPLAINED: Final = {
    "aggregate": "whether the elements may be NULL of what the function returns",
    "approx_top_k_combine": "the type of the items is in a field of the state",
    "approx_top_k_estimate": "the type of the items is in a field of the state",
    "currentTime": "the precision: TIME has at most six digits before Spark 4.3",
    "date_part": "the precision of a TIME: SECOND has six digits before Spark 4.3, whatever the type has",
    "extract": "the precision of a TIME: SECOND has six digits before Spark 4.3, whatever the type has",
}
"""Functions of which no trait tells the calls apart, with what decides."""
_OF_NULLABILITY: Final = ("nullable", "not nullable", "nullability of parts")


def contradictions(content: Mapping[str, Any], answers: Answers, newest: Answers, calls: Sequence[Asked]) -> list[str]:
    """Return what the file of a version says otherwise than its Spark, of which some calls may be asked.

    Args:
        content: the content of the file.
        answers: the answers of the Spark.
        newest: those of the newest Spark.
        calls: the calls that both were asked about.
    """
    whole = differences(answers, newest, [])
    wrong = [f"{part}: {whole[part]!r}, and not {content[part]!r}" for part in WHOLE if whole[part] != content[part]]
    for call in calls:
        answer, newer = answers.types.get(call.text), newest.types.get(call.text)
        if call.in_spark and answer is not None and isinstance(newer, list) and call.function not in NOT_EXPLAINED:
            expected, actual = expected_result(content, call.function, call.traits), result_of(answer, newer)
            if expected != actual and not is_general(content["syntax"], call, actual):
                wrong.append(f"{call.function}: {call.text}: {actual}, and not {expected}")
    return wrong


@attrs.frozen
class Agreement:
    """The calls by what this library does with them for a version, and how its Spark answers.

    Attributes:
        version: the version.
        calls: how many calls were compared: those whose types the version has, and that the newest Spark accepts.
        refused: how many of them this library refuses by name for the version.
        rewritten: how many of the others it writes otherwise than for the newest Spark.
        explained: how many have another type or nullability of which a general rule or the file of the version tells.
        acceptance: the disagreements on whether a call is accepted: one side alone refuses it.
        types: the other calls of which Spark has another type than this library.
        nullability: the other calls of which Spark has another nullability.
    """

    version: str
    calls: int
    refused: int
    rewritten: int
    explained: int
    acceptance: list[str]
    types: list[str]
    nullability: list[str]

    @property
    def disagreements(self) -> list[str]:
        """All disagreements, each with what it is about."""
        parts = {"acceptance": self.acceptance, "type": self.types, "nullability": self.nullability}
        return [f"{kind}: {text}" for kind, texts in parts.items() for text in texts]


def agreement(
    spark: Spark, answers: Answers, newest: Answers, calls: Sequence[Asked], content: Mapping[str, Any]
) -> Agreement:
    """Compare what this library writes for a version with what a prepared Spark of the version answers.

    Args:
        spark: the Spark.
        answers: its answers to the texts for the newest Spark.
        newest: the answers of the newest Spark, which has the types of this library.
        calls: the calls that both were asked about.
        content: the content of the file of the version.
    """
    compared = [call for call in calls if call.text in answers.types and isinstance(newest.types.get(call.text), list)]
    target = target_of(spark.version)
    written = _Written.of([call for call in compared if call.expression is not None], target)
    texts = [text for text in dict.fromkeys(written.texts.values()) if text not in answers.types]
    asked = dict(zip(texts, spark.ask("expressions", texts=texts), strict=True)) if texts else {}
    found = Agreement(spark.version, len(compared), len(written.refused), written.rewritten, 0, [], [], [])
    explained = 0
    for call in compared:
        text = written.texts.get(call, call.text)
        answer = asked[text] if text in asked else answers.types[text]
        result = result_of(answer, newest.types[call.text])
        message = written.refused.get(call)
        if message is not None:
            if result in (SAME, *_OF_NULLABILITY) and not _is_other_meaning(message, content):
                found.acceptance.append(f"{call.text} is refused, and has the answer {result!r}: {message}")
        elif result == REFUSED:
            found.acceptance.append(f"{text} is written for {call.text}, and refused with {answer}")
        elif result != SAME and _is_explained(call, text, result, content, target):
            explained += 1
        elif result != SAME:
            (found.nullability if result in _OF_NULLABILITY else found.types).append(f"{text}: {result}")
    return attrs.evolve(found, explained=explained)


@attrs.frozen
class _Written:
    """What this library makes of calls for a target.

    Attributes:
        refused: the messages of those that it refuses.
        texts: the texts of the others.
        rewritten: how many of these are not those for the newest Spark.
    """

    refused: dict[Asked, str]
    texts: dict[Asked, str]
    rewritten: int

    @staticmethod
    def of(calls: Sequence[Asked], target: Target) -> _Written:
        refused, texts = {}, {}
        for call in calls:
            try:
                texts[call] = call.text_for(target)
            except TableException as error:
                refused[call] = str(error)
        return _Written(refused, texts, sum(text != call.text_for(Target.NEWEST) for call, text in texts.items()))


def _is_other_meaning(message: str, content: Mapping[str, Any]) -> bool:
    """Whether a call is refused because the version has other rows for it, which no type shows."""
    return any(
        f"({feature})" in message and (answer == "other rows" or answer.startswith("fails with"))
        for feature, answer in content["syntax"].items()
    )


def _is_explained(call: Asked, text: str, result: str, content: Mapping[str, Any], target: Target) -> bool:
    """Whether it is known that a call has another type or nullability; a form may have another nullability.

    The nullability of a form is that of the calls in it, of which the file tells.
    """
    if call.function in NOT_EXPLAINED or is_general(content["syntax"], call, result):
        return True
    if result not in _OF_NULLABILITY:
        return False
    if text != call.text or expected_result(content, call.function, call.traits) == result:
        return True
    parts = call.calls_for(target) if call.expression is not None and not call.in_spark else ()
    return any(
        part.function.name in NOT_EXPLAINED
        or expected_result(content, part.function.name, frozenset(call_traits(part.arguments))) == result
        for part in parts
    )
