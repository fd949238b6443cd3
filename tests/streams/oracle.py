"""Ask Spark which queries over streams it runs in which output mode: ``python -m tests.streams.oracle``.

Spark's analyzer and its ``UnsupportedOperationChecker`` judge every query of ``tests.streams.queries``; those that some
mode accepts are also run, all operations alone and a sample of the pairs, because Spark refuses some queries only when
it plans their first batch. The verdicts are written to ``measured.json``, from which the tests take them: for each
query a letter for append, update and complete mode, ``+`` if Spark accepts it, ``_`` if it was not run, or the key of
the reason in ``reasons``.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import string
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs
from rich.console import Console
from rich.progress import track

from tableapi.spark.required_settings import FEATURES
from tests.streams.queries import COLUMNS, FIRST_ROWS, JOINS, PAIRED, STREAMS, TABLES, everyday, pairs, singles, text_of
from tests.streams.queries import Path as Query
from tests.streams.streams import read

MEASURED = Path(__file__).with_name("measured.json")
MODES = ("append", "update", "complete")
ACCEPTED, _NOT_ASKED = "+", "_"
Verdict = dict[str, str | None]
"""For each mode, the reason of the refusal, None if Spark accepts the query."""
_ROWS = (
    (1, "2026-01-01T00:00:01Z", 1, "a"),
    (2, "2026-01-01T00:00:03Z", 2, "b"),
    (1, "2026-01-01T00:00:07Z", 5, "a"),
    (3, "2026-01-01T00:01:30Z", 4, "c"),
)
_KEYS = string.ascii_letters + string.digits + "!#$%&()*./:;<=>?@[]^{|}~"
_PAIRS_RUN = 150
_PAIRS_WRITTEN = 300


@contextmanager
def session() -> Iterator[Any]:
    """Yield a session with the streams and the tables of the queries, in memory-backed files."""
    from pyspark.sql import SparkSession

    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as directory:
        builder: Any = SparkSession.builder
        settings = {
            **FEATURES,
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.sql.shuffle.partitions": "1",
            "spark.sql.session.timeZone": "UTC",
            "spark.sql.warehouse.dir": f"{directory}/warehouse",
            "spark.sql.catalogImplementation": "in-memory",
            "spark.sql.streaming.pollingDelay": "1ms",
            "spark.sql.streaming.checkpointLocation": f"{directory}/checkpoints",
        }
        for key, value in settings.items():
            builder = builder.config(key, value)
        spark = builder.master("local[1]").getOrCreate()
        try:
            spark.sparkContext.setLogLevel("OFF")
            create_inputs(spark, Path(directory))
            yield spark
        finally:
            spark.stop()


def create_inputs(spark: Any, directory: Path) -> None:
    """Create the streams and tables of the queries as temporary views over files."""
    for name in (*STREAMS, *TABLES):
        folder = directory / name
        folder.mkdir()
        rows = [dict(zip(("k", "ts", "v", "name"), row, strict=True)) for row in _ROWS]
        folder.joinpath("rows.json").write_text("".join(json.dumps(row) + "\n" for row in rows))
        reader = spark.readStream if name in STREAMS else spark.read
        reader.schema(COLUMNS).json(str(folder)).createOrReplaceTempView(name)


class Judge:
    """Spark's verdicts on queries: conditions or messages of refusals, None for accepted ones."""

    def __init__(self, spark: Any) -> None:
        from py4j import java_gateway, protocol

        # PySpark's own conversion of exceptions costs ten times as much as the check.
        self._converting, self._plain = java_gateway, protocol.get_return_value
        self._spark = spark
        sql = spark._jvm.org.apache.spark.sql
        modes = sql.streaming.OutputMode
        self._modes = {"append": modes.Append(), "update": modes.Update(), "complete": modes.Complete()}
        self._check = sql.catalyst.analysis.UnsupportedOperationChecker.checkForStreaming

    @contextmanager
    def _unconverted(self) -> Iterator[None]:
        kept = self._converting.get_return_value
        self._converting.get_return_value = self._plain
        try:
            yield
        finally:
            self._converting.get_return_value = kept

    def check(self, text: str) -> Verdict:
        """Return the verdict of the analyzer, or that of the checker, in each output mode."""
        from py4j.protocol import Py4JJavaError

        with self._unconverted():
            try:
                plan = self._spark._jsparkSession.sql(text).queryExecution().analyzed()
            except Py4JJavaError as error:
                return dict.fromkeys(MODES, "analyzer: " + _reason(error.java_exception))
            found: Verdict = {}
            for mode, output in self._modes.items():
                try:
                    self._check(plan, output)
                    found[mode] = None
                except Py4JJavaError as error:
                    found[mode] = _reason(error.java_exception)
            return found

    def run(self, text: str, mode: str) -> str | None:
        """Run a query over all rows, and return the reason why it fails, None if it does not."""
        try:
            started = (
                self._spark.sql(text).writeStream.format("noop").outputMode(mode).trigger(availableNow=True).start()
            )
            started.awaitTermination()
        except Exception as error:  # whatever Spark raises is the answer
            return f"run: {_first_line(str(error))}"
        return None


def _reason(error: Any) -> str:
    condition = error.getCondition()
    if condition and not condition.startswith("_LEGACY"):
        return str(condition) + _detail(str(condition), str(error.getMessage()))
    return _first_line(str(error.getMessage()))


def _detail(condition: str, message: str) -> str:
    if condition == "STREAMING_OUTPUT_MODE.UNSUPPORTED_OPERATION":
        found = re.search(r"not supported for (.*?)\. SQLSTATE", message)
        return f": {found[1]}" if found else ""
    return ""


def _first_line(message: str) -> str:
    line = re.sub(r"#\d+L?", "", message.strip().split("\n")[0])
    line = re.sub(r"(with )?(id|runId) = [0-9a-f-]+,?\s*", "", line)
    return line.split("SQLSTATE")[0].rstrip("; ")[:240]


def list_asked() -> list[Query]:
    """Return all queries that are asked about."""
    return [*singles(), *everyday(), *pairs()]


def check_all(judge: Judge, console: Console) -> dict[Query, Verdict]:
    """Return the verdicts of the checker on all queries."""
    return {query: judge.check(text_of(query)) for query in track(list_asked(), "checking", console=console)}


def ask_missing(judge: Judge, known: Measured, console: Console) -> Measured:
    """Return the stored verdicts, with those on queries without operations above others that have none yet."""
    missing = [query for query in [*singles(), *everyday()] if query not in known.checked]
    checked = {query: judge.check(text_of(query)) for query in track(missing, "checking", console=console)}
    written = {query: judge.check(read(text_of(query)).as_serializable_string()) for query in missing}
    written = {query: verdict for query, verdict in written.items() if verdict != checked[query]}
    accepted = [(query, mode) for query in missing for mode in MODES if {**checked, **written}[query][mode] is None]
    runs: dict[Query, Verdict] = {}
    for query, mode in track(accepted, "running", console=console):
        runs.setdefault(query, {})[mode] = run_as_written(judge, query, mode)
    return Measured({**known.checked, **checked}, {**known.written, **written}, {**known.runs, **runs})


def run_some(
    judge: Judge, verdicts: dict[Query, Verdict], written: dict[Query, Verdict], console: Console
) -> dict[Query, Verdict]:
    """Run all operations alone and a sample of the pairs in each mode that the checker accepts; return the outcomes."""
    # A join runs alike with and without a watermark on its left side.
    alone = [query for query in singles() if query[0] == "late" or query[-1] not in JOINS]
    chosen = [(q, m) for q in [*alone, *everyday()] for m in MODES if {**verdicts, **written}[q][m] is None]
    accepted = [(q, m) for q in pairs() for m in MODES if verdicts[q][m] is None]
    chosen += random.Random(32).sample(accepted, min(_PAIRS_RUN, len(accepted)))
    # The checker overlooks groups without a time that are below groups with one.
    chosen += [(q, "append") for q in pairs() if not FIRST_ROWS.isdisjoint(q) and _is_accepted(written, q, "append")]
    found: dict[Query, Verdict] = {}
    for query, mode in track(chosen, "running", console=console):
        found.setdefault(query, {})[mode] = run_as_written(judge, query, mode)
    return found


def _is_accepted(verdicts: dict[Query, Verdict], query: Query, mode: str) -> bool:
    return query in verdicts and verdicts[query][mode] is None


def run_as_written(judge: Judge, query: Query, mode: str) -> str | None:
    """Run a query and, if it fails, the text that this library writes for it; return the reason of the failure."""
    failed = judge.run(text_of(query), mode)
    return failed and judge.run(read(text_of(query)).as_serializable_string(), mode)


def check_written(judge: Judge, verdicts: dict[Query, Verdict], console: Console) -> dict[Query, Verdict]:
    """Return the verdicts on the NESTED texts of the trees of queries, where they differ."""
    chosen = [*singles(), *everyday(), *random.Random(32).sample(pairs(), _PAIRS_WRITTEN)]
    chosen += [query for query in pairs() if not FIRST_ROWS.isdisjoint(query)]
    found: dict[Query, Verdict] = {}
    for query in track(chosen, "checking what is written", console=console):
        verdict = judge.check(read(text_of(query)).as_serializable_string())
        if verdict != verdicts[query]:
            found[query] = verdict
    return found


def write(
    verdicts: dict[Query, Verdict], written: dict[Query, Verdict], runs: dict[Query, Verdict], version: str
) -> None:
    """Write the document."""
    every = [*verdicts.values(), *written.values(), *runs.values()]
    reasons = sorted({reason for found in every for reason in found.values() if reason})
    keys: dict[str | None, str] = dict(zip(reasons, _KEYS, strict=False))
    if len(keys) < len(reasons):
        raise ValueError(f"There are {len(reasons)} reasons, and only {len(_KEYS)} keys.")
    keys[None] = ACCEPTED

    def letters(found: Verdict) -> str:
        return "".join(keys[found[mode]] if mode in found else _NOT_ASKED for mode in MODES)

    document = {
        "spark": version,
        "reasons": {key: reason for reason, key in keys.items() if reason},
        "queries": {"/".join(query): letters(verdicts[query]) for query in sorted([*singles(), *everyday()])},
        "above": sorted(PAIRED),
        "pairs": {
            f"{read}/{below}": " ".join(letters(verdicts[read, below, above]) for above in sorted(PAIRED))
            for read, below in sorted({query[:2] for query in pairs()})
        },
        "written": {"/".join(query): letters(found) for query, found in sorted(written.items())},
        "runs": {"/".join(query): letters(found) for query, found in sorted(runs.items())},
    }
    MEASURED.write_text(json.dumps(document, indent=1) + "\n")


@attrs.frozen
class Measured:
    """The verdicts of the checker, those on the texts of trees that differ from them, and the outcomes of runs."""

    checked: dict[Query, Verdict]
    written: dict[Query, Verdict]
    runs: dict[Query, Verdict]

    def verdict(self, query: Query) -> Verdict:
        """Return the verdict on a query as this library writes it, in which a failed run counts."""
        return {**self.checked[query], **self.written.get(query, {}), **self.runs.get(query, {})}


def read_measured() -> Measured:
    """Return the stored verdicts."""
    document = json.loads(MEASURED.read_text())
    reasons: dict[str, str | None] = {**document["reasons"], ACCEPTED: None}

    def verdict(letters: str) -> Verdict:
        return {m: reasons[letter] for m, letter in zip(MODES, letters, strict=True) if letter != _NOT_ASKED}

    checked = {tuple(path.split("/")): verdict(letters) for path, letters in document["queries"].items()}
    for path, row in document["pairs"].items():
        for above, letters in zip(document["above"], row.split(), strict=True):
            checked[(*path.split("/"), above)] = verdict(letters)
    written, runs = (
        {tuple(path.split("/")): verdict(letters) for path, letters in document[part].items()}
        for part in ("written", "runs")
    )
    return Measured(checked, written, runs)


def main() -> None:
    """Measure, and write the document."""
    parser = argparse.ArgumentParser(prog="python -m tests.streams.oracle", description=__doc__)
    parser.add_argument("--no-run", action="store_true", help="ask the checker only, and keep the outcomes of runs")
    parser.add_argument("--missing", action="store_true", help="ask about new operations alone, each over every input")
    given = parser.parse_args()
    console = Console(highlight=False)
    with session() as spark:
        judge = Judge(spark)
        if given.missing:
            measured = ask_missing(judge, read_measured(), console)
            verdicts, written, runs = measured.checked, measured.written, measured.runs
        else:
            verdicts = check_all(judge, console)
            written = check_written(judge, verdicts, console)
            runs = read_measured().runs if given.no_run else run_some(judge, verdicts, written, console)
        write(verdicts, written, runs, spark.version)
    started = sum(len(found) for found in runs.values())
    failed = sum(reason is not None for found in runs.values() for reason in found.values())
    console.print(f"{len(verdicts)} queries asked in three modes, {started} runs, of which {failed} failed")


if __name__ == "__main__":
    main()
