"""Rollback: the views of a target as they were after an earlier deployment, and what the journal records for it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import attrs
import pytest

from ir.errors import TableException
from tableapi.exceptions import SparkExecutionException
from tableapi.project import apply as apply_module
from tableapi.project.apply import apply_plan
from tableapi.project.configuration import ProjectError
from tableapi.project.deployment import Deployment, ViewState
from tableapi.project.journal import Entry, Journal
from tableapi.project.plan import Planner
from tableapi.project.rollback import Rollback
from tableapi.project.steps import Plan, Step
from tests.project.projects import planner, replace, write

ROOT = Path(__file__).parents[2]


def deploy(folder: Path, environment: str | None = None) -> str:
    """Apply the plan of a project, and return the identifier of the deployment."""
    made = planner(folder, environment=environment)
    apply_plan(made.plan(), made, made.deployment)
    return entries(folder)[-1].deployment


def entries(folder: Path) -> list[Entry]:
    """Return the journal of the target."""
    return Journal(planner(folder).deployment).entries()


def way_back(
    folder: Path, deployment: str, environment: str | None = None, *, overwrite_edited: bool = False
) -> tuple[Plan, Planner]:
    """Return the plan of a rollback."""
    made = planner(folder, environment=environment, overwrite_edited=overwrite_edited)
    return Rollback(made, Journal(made.deployment).entries(), environment).plan(deployment), made


def roll_back(folder: Path, deployment: str, environment: str | None = None) -> None:
    """Carry a rollback out."""
    plan, made = way_back(folder, deployment, environment)
    apply_plan(plan, made, made.deployment)


def states(folder: Path) -> dict[tuple[str, str], ViewState]:
    """Return all that can be restored of each view of the target."""
    return {key: view.restorable for key, view in planner(folder).deployment.views().items()}


@pytest.fixture
def changed(project: Path) -> tuple[Path, str, str]:
    """A project that was deployed twice, with the identifiers of both deployments.

    The second one changes a column that another view reads, the query and the comments of a view, adds a view, and
    drops one.
    """
    first = deploy(project)
    replace(project, "views/orders.py", 'col("amount") > 100', 'col("amount") > 200')
    replace(
        project, "views/orders.py", 'col("customer"), col("day"))', 'col("customer").char_length.alias("customer"))'
    )
    replace(
        project, "views/orders.py", 'comment="Large orders."', 'comment="Very large orders.", properties={"a": "b"}'
    )
    replace(project, "views/orders.py", '"the order"', '"the number"')
    (project / "catalog/sales/views/late.sql").unlink()
    write(project, "catalog/sales/views/few.sql", "CREATE VIEW few AS SELECT * FROM by_customer WHERE n < 3;\n")
    return project, first, deploy(project)


def test_views_are_as_they_were(changed: tuple[Path, str, str]) -> None:
    project, first, second = changed
    after_second = states(project)
    plan, _ = way_back(project, first)
    found = {step.name: (step.action.value, step.safety.value) for step in plan.steps}
    assert found == {
        "sales.large": ("replace", "changes readers"),
        "sales.by_customer": ("replace", "changes readers"),
        "sales.late": ("create", "safe"),
        "sales.few": ("drop", "destructive"),
    }
    # The only reader of the changed view is dropped as well.
    assert {step.name: [reader.name for reader in step.readers] for step in plan.steps if step.readers} == {
        "sales.large": ["sales.by_customer"]
    }
    roll_back(project, first)
    restored = states(project)
    assert ("sales", "few") not in restored
    assert restored["sales", "large"].comment == "Large orders."
    assert dict(restored["sales", "large"].columns) == {"id": "the order", "customer": None, "day": None}
    assert restored["sales", "late"].comment == "Large orders of the past."
    # A rollback is a deployment, which can be taken back as well.
    roll_back(project, second)
    again = states(project)
    assert again.keys() == after_second.keys()
    for key, state in after_second.items():
        assert again[key] == state


def test_steps_are_in_the_order_of_reading(changed: tuple[Path, str, str]) -> None:
    project, first, _ = changed
    plan, _ = way_back(project, first)
    names = [step.name for step in plan.steps]
    assert names.index("sales.large") < names.index("sales.late")
    assert names[-1] == "sales.few"


def test_nothing_is_to_do_after_the_last_deployment(changed: tuple[Path, str, str]) -> None:
    project, _, second = changed
    assert way_back(project, second)[0].steps == ()
    assert way_back(project, second[:6])[0].steps == ()


def test_environments_are_apart(changed: tuple[Path, str, str]) -> None:
    project, first, _ = changed
    of_dev = deploy(project, "dev")
    with pytest.raises(ProjectError, match=f"has no deployment '{first}'; the last ones are {of_dev}"):
        way_back(project, first, "dev")
    assert way_back(project, of_dev, "dev")[0].steps == ()
    roll_back(project, first)
    assert ("dev_sales", "few") in states(project)


def test_an_unknown_deployment_is_named_with_the_last_ones(changed: tuple[Path, str, str]) -> None:
    project, first, second = changed
    with pytest.raises(ProjectError, match=rf"has no deployment 'xyz'; the last ones are {first}, {second}"):
        way_back(project, "xyz")
    with pytest.raises(ProjectError, match="has no deployment ''"):
        way_back(project, "")


def test_several_deployments_with_one_beginning(changed: tuple[Path, str, str]) -> None:
    project, _, _ = changed
    made = planner(project)
    known = [attrs.evolve(entry, deployment=f"ab{number}") for number, entry in enumerate(entries(project))]
    with pytest.raises(ProjectError, match=r"begin with 'ab': ab0, ab1.*Give more of the identifier"):
        Rollback(made, known).plan("ab")


def test_an_empty_journal_says_so(project: Path) -> None:
    with pytest.raises(ProjectError, match="has no deployment of this project in this environment"):
        way_back(project, "a")


def test_entries_without_definitions_are_refused(changed: tuple[Path, str, str]) -> None:
    project, first, _ = changed
    path = project / "target/.tableapi/deployments.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        del line["definition"]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(ProjectError, match=r"recorded no definitions, so that the state before it is not known"):
        way_back(project, first)


def test_a_view_that_was_edited_by_hand_is_kept(changed: tuple[Path, str, str]) -> None:
    project, first, _ = changed
    replace(project, "target/sales/views/few.sql", "< 3", "< 4")
    with pytest.raises(ProjectError, match=r"sales\.few is to be dropped, and was changed at the target"):
        way_back(project, first)
    assert way_back(project, first, overwrite_edited=True)[0].steps
    replace(project, "target/sales/views/few.sql", "< 4", "< 3")
    replace(project, "target/sales/views/large.sql", "> 200", "> 300")
    with pytest.raises(ProjectError, match=r"sales\.large was changed at the target after it was deployed"):
        way_back(project, first)


def test_a_table_that_lacks_a_column_of_then(changed: tuple[Path, str, str]) -> None:
    project, first, _ = changed
    replace(project, "target/sales/tables/orders.sql", ", day DATE", "")
    with pytest.raises(ProjectError, match=r"no longer has what was read then. Nothing was changed") as raised:
        way_back(project, first)
    assert "sales.large: " in str(raised.value)
    assert "day" in str(raised.value)


def test_a_change_that_fails_is_recorded_as_failed(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = deploy(project)
    replace(project, "views/orders.py", "> 100", "> 200")

    def fail(step: Step, made: Planner, deployment: Deployment) -> None:
        raise TableException("The disk is full.")

    with monkeypatch.context() as patched:
        patched.setattr(apply_module, "_make", fail)
        with pytest.raises(ProjectError, match="The disk is full"):
            deploy(project)
    last = entries(project)[-1]
    assert (last.action, last.words) == ("failed", "The disk is full.")
    # The view is as it was, so that the way back has no step.
    assert way_back(project, first)[0].steps == ()


def test_names_of_any_form_are_recorded(project: Path) -> None:
    replace(project, "views/orders.py", '@view("by_customer")', '@view("sales.`by customer.1`")')
    first = deploy(project)
    assert {entry.view for entry in entries(project)} >= {"spark_catalog.sales.`by customer.1`"}
    replace(project, "views/orders.py", "> 100", "> 200")
    replace(project, "views/orders.py", 'alias("n")', 'alias("m")')
    deploy(project)
    roll_back(project, first)
    assert "AS n\n" in _texts(project)["sales", "by customer.1"]


KILLED = """
import os, signal, sys
from pathlib import Path
from tableapi.project import apply
from tableapi.project.journal import Journal
from tests.project.projects import planner

left = int(sys.argv[2])


def counted(function):
    def call(*arguments):
        global left
        made = function(*arguments)
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
        return made
    return call


apply._make, Journal.add = counted(apply._make), counted(Journal.add)
made = planner(Path(sys.argv[1]))
apply.apply_plan(made.plan(), made, made.deployment)
"""


@pytest.mark.slow
@pytest.mark.parametrize("place", range(1, 9))
def test_a_killed_deployment_can_be_finished_and_taken_back(changed: tuple[Path, str, str], place: int) -> None:
    """Kill the process after each entry of the journal and after each change of four."""
    project, first, second = changed
    expected = states(project)
    roll_back(project, first)
    before = states(project)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ended = subprocess.run([sys.executable, "-c", KILLED, str(project), str(place)], env=environment, check=False)
    assert ended.returncode == -signal.SIGKILL
    restored = entries(project)[-1].deployment
    # From the state in between, the way back is known,
    plan, _ = way_back(project, [one for one in _deployments(project) if one != restored][-1])
    copy = shutil.copytree(project, project.parent / f"{project.name} copy")
    apply_plan(plan, made := planner(copy), made.deployment)
    assert _texts(copy) == {key: state.text for key, state in before.items()}
    # and so is the way on.
    deploy(project)
    assert _texts(project) == {key: state.text for key, state in expected.items()}
    assert planner(project).plan().steps == ()
    assert second in _deployments(project)


def _deployments(folder: Path) -> list[str]:
    return list(dict.fromkeys(entry.deployment for entry in entries(folder)))


def _texts(folder: Path) -> dict[tuple[str, str], str]:
    return {key: state.text for key, state in states(folder).items()}


def test_journal_that_a_killed_process_left(project: Path) -> None:
    made = planner(project)
    apply_plan(made.plan(), made, made.deployment)
    path = project / "target/.tableapi/deployments.jsonl"
    whole = path.read_text()
    path.write_text(whole + '{"deployment": "0a1b", "at": "2026-')
    journal = Journal(made.deployment)
    assert len(journal.entries()) == 3
    journal.add(journal.entries()[0])
    assert path.read_text().startswith(whole)
    assert len(journal.entries()) == 4


class _BusyTable:
    """An environment whose INSERTs fail a number of times, as those of two jobs that write to one table may."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.statements: list[str] = []

    def execute_sql(self, statement: str) -> _BusyTable:
        self.statements.append(statement)
        return self

    def wait(self) -> None:
        if len(self.statements) <= self.failures:
            raise SparkExecutionException("Job aborted.\n  at org.apache.spark")


@pytest.mark.parametrize("failures", [0, 2, 99])
def test_journal_is_written_again_while_another_deployer_writes(
    project: Path, failures: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tableapi.project.journal._PAUSES", (0.0, 0.0, 0.0))
    monkeypatch.setattr(Journal, "_make_table", lambda self: None)
    made = planner(project).deployment
    made.settings = attrs.evolve(made.settings, directory=None, journal="journal")
    environment = _BusyTable(failures)
    monkeypatch.setattr(made, "environment", environment)
    entry = Entry("0a1b", "2026-01-01", "ada", "shop", "", "r1", "create", "sales.large", "", "", "SELECT 1")
    if failures < 4:
        Journal(made).add(entry)
    else:
        with pytest.raises(ProjectError, match=r"step create sales\.large is not made\..*Spark says: Job aborted"):
            Journal(made).add(entry)
    assert len(environment.statements) == min(failures, 3) + 1
    assert len(set(environment.statements)) == 1
