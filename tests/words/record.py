"""Record how Spark's parser reads each of its keywords in each position: ``python -m tests.words.record``."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tests.words.positions import POSITIONS

FILE = Path(__file__).with_name("spark.json")
NAME = "zzz"
_IDS = re.compile(r"#\d+L?")


def outcomes(session: Any) -> dict[str, dict[str, list[str]]]:
    """Return, by position, the words that Spark rejects there, and the words that it does not read as a name there."""
    keywords = [row[0].lower() for row in session.sql("SELECT keyword FROM sql_keywords() ORDER BY 1").collect()]
    parser = session._jsparkSession.sessionState().sqlParser()

    def plan(text: str) -> str | None:
        try:
            return _IDS.sub("#", str(parser.parsePlan(text)))
        except Exception:  # py4j passes on any exception of the parser
            return None

    found: dict[str, dict[str, list[str]]] = {"": {"keywords": keywords}}
    for position in POSITIONS:
        named = plan(position.replace("{}", NAME))
        assert named is not None, position
        plans = {word: plan(position.replace("{}", word)) for word in keywords}
        found[position] = {
            "refused": [word for word, made in plans.items() if made is None],
            "other": [w for w, made in plans.items() if made is not None and made != named.replace(NAME, w)],
        }
    return found


if __name__ == "__main__":
    from tableapi import TableEnvironment

    FILE.write_text(json.dumps(outcomes(TableEnvironment.create().spark), separators=(",", ":")) + "\n", "utf-8")
