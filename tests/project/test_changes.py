"""Changes of a project: the words of the plan, for each kind of change."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ir.errors import ValidationException
from tableapi.project.apply import apply_plan
from tableapi.project.configuration import ProjectError
from tableapi.testing import assert_plan, plan_of_change, plan_since, plan_text
from tests.project.changes import CHANGES, write_outside_views, write_shop
from tests.project.projects import plan, planner, replace, write
from tests.snapshot_files import TreeFiles

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion


@pytest.fixture(scope="module")
def deployed_shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose views are all deployed, with readers of other people."""
    folder = write_shop(tmp_path_factory.mktemp("shop"))
    made = planner(folder)
    apply_plan(made.plan(), made, made.deployment)
    write_outside_views(folder)
    return folder


@pytest.fixture
def shop(deployed_shop: Path, tmp_path: Path) -> Path:
    """A copy of the deployed project, to be changed."""
    return Path(shutil.copytree(deployed_shop, tmp_path / "shop"))


@pytest.mark.parametrize("name", CHANGES)
def test_snapshot_plan(name: str, shop: Path, snapshot: SnapshotAssertion) -> None:
    CHANGES[name](shop)
    found = plan_text(plan(shop))
    assert found == snapshot(name=re.sub(r"\W+", "_", name), extension_class=TreeFiles)


def test_a_plan_applied_leaves_nothing(shop: Path) -> None:
    """Of all changes that can be made beside each other."""
    for name in ("filter: another value", "type: no longer NULL", "view: renamed", "function: another body"):
        CHANGES[name](shop)
    made = planner(shop)
    apply_plan(made.plan(), made, made.deployment)
    assert_plan(plan(shop), {})


# --- without a target -------------------------------------------------------------------------------------------------


def _git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", str(folder), *who, *arguments], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """The project in a folder of a git repository, with one commit, which is tagged."""
    folder = tmp_path / "team"
    _git(tmp_path, "init", "--quiet", "team")
    write_shop(folder / "shop")
    shutil.rmtree(folder / "shop/target")
    _git(folder, "add", ".")
    _git(folder, "commit", "--quiet", "-m", "first")
    _git(folder, "tag", "v1")
    return folder / "shop"


def test_plan_since_a_revision(repository: Path) -> None:
    replace(repository, "views/shop.py", '== "paid"', '== "settled"')
    (repository / "catalog/sales/views/people.sql").unlink()
    made = plan_since("v1", repository / "views")
    assert_plan(made, {"sales.paid": ("replace", "safe"), "sales.people": ("drop", "destructive")})
    assert plan_text(made).startswith("Plan of shop for v1\n\n~ replace sales.paid  [safe]\n")
    assert_plan(plan_since("HEAD", repository), {"sales.paid": "replace", "sales.people": "drop"})


def test_plan_since_a_revision_sees_changed_tables(repository: Path) -> None:
    replace(repository, "catalog/sales/tables/orders.sql", "DECIMAL(10, 2)", "DECIMAL(12, 2)")
    made = plan_since("v1", repository)
    (paid, *_) = made.steps
    assert (paid.name, paid.safety.value) == ("sales.paid", "changes readers")
    assert paid.words == (
        "A table below has changed: the column `amount` is DECIMAL(12, 2) there now, and the view was made with "
        "DECIMAL(10, 2). Until the view is replaced, Spark casts `amount` to DECIMAL(10, 2), and fails at values that "
        "have none.",
    )


def test_plan_of_two_folders(tmp_path: Path) -> None:
    old, new = write_shop(tmp_path / "old"), write_shop(tmp_path / "new")
    assert_plan(plan_of_change(old, new), {})
    CHANGES["column: renamed that others read"](new)
    made = plan_of_change(old, new)
    assert_plan(made, {"sales.customer_totals": "replace", "sales.countries": "replace", "sales.top": "replace"})
    message = r"""(?s)The plan is not the expected one:
  sales\.missing is not changed
  sales\.customer_totals is not expected: replace, destructive
  sales\.countries is not expected: replace, safe
  sales\.top: drop is expected, but it is replace
  sales\.customer_totals is destructive; at most changes readers is expected

  Plan of shop for the old state
.*~ replace sales\.top"""
    with pytest.raises(AssertionError, match=message):
        assert_plan(made, {"sales.missing": "create", "sales.top": "drop"}, safety="changes readers")
    with pytest.raises(ValidationException, match=r"'delete' is no action .* create, replace, adopt, drop"):
        assert_plan(made, {"sales.top": "delete"})
    with pytest.raises(ValidationException, match=r"'destructiv' is no safety .* Did you mean 'destructive'\?"):
        assert_plan(made, safety="destructiv")


def test_old_state_that_cannot_be_deployed(tmp_path: Path) -> None:
    old, new = write_shop(tmp_path / "old"), write_shop(tmp_path / "new")
    replace(old, "catalog/sales/views/top.sql", "name, total", "name, totl")
    with pytest.raises(ProjectError, match=r"(?s)At the old state: The project shop has 1 error.*totl"):
        plan_of_change(old, new)
    write(new, "tableapi.toml", '[project]\nname = "store"\ndatabase = "sales"\n')
    with pytest.raises(ProjectError, match="The project is called store, and shop at the old state"):
        plan_of_change(old, new)


def test_revisions_that_do_not_exist(repository: Path, tmp_path: Path) -> None:
    with pytest.raises(
        ProjectError, match=r"There is no revision 'v9' in the repository of .*team/shop\. A revision is"
    ):
        plan_since("v9", repository)
    # No option of git: it would write a file.
    with pytest.raises(ProjectError, match="There is no revision '--output=written'"):
        plan_since("--output=written", repository)
    assert not (repository / "written").exists()
    with pytest.raises(ValidationException, match=r"assert_plan checks a plan, .* but was given None"):
        assert_plan(None, {})  # type: ignore[arg-type]  # the mistake of the test
    other = tmp_path / "team/other"
    write_shop(other)
    with pytest.raises(ProjectError, match=r"git archive .* fails|The revision v1 has no tableapi\.toml"):
        plan_since("v1", other)
