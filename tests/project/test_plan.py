"""Plans: what a change of a project means at its target, in words, and for whom."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ir.schema import ResolvedSchema
from ir.types import INT
from tableapi.project.apply import apply_plan
from tableapi.project.configuration import ProjectError
from tableapi.project.deployment import Deployment
from tableapi.project.journal import Journal
from tableapi.project.project import Project
from tableapi.project.steps import Action, Plan, Safety, Step
from tests.project.projects import plan, planner, replace, write


def apply(folder: Path, environment: str | None = None, **options: bool) -> Plan:
    """Carry out the plan of a project, and return it."""
    made = planner(folder, environment=environment, **options)
    found = made.plan()
    apply_plan(found, made, made.deployment, revision="r1")
    return found


def _steps(made: Plan) -> dict[str, Step]:
    return {step.name: step for step in made.steps}


@pytest.fixture
def deployed(project: Path) -> Path:
    """The folder of a project whose views are all deployed."""
    apply(project)
    return project


def test_new_views_are_made_after_those_they_read(project: Path) -> None:
    made = plan(project)
    names = [step.name for step in made.steps]
    assert sorted(names) == ["sales.by_customer", "sales.large", "sales.late"]
    assert names[0] == "sales.large"
    assert {step.action for step in made.steps} == {Action.CREATE}
    assert made.safety is Safety.SAFE
    assert made.steps[0].words == ("The view is new: id BIGINT NOT NULL, customer STRING, day DATE.",)


def test_nothing_is_left_after_a_deployment(deployed: Path) -> None:
    made = plan(deployed)
    assert made.steps == ()
    assert sorted(made.unchanged) == ["sales.by_customer", "sales.large", "sales.late"]


def test_another_text_of_the_same_meaning_is_no_change(deployed: Path) -> None:
    replace(deployed, "catalog/sales/views/late.sql", "FROM large WHERE", "FROM (SELECT * FROM large) WHERE")
    made = plan(deployed)
    assert made.steps == ()


def test_filter_is_safe_and_said_in_words(deployed: Path) -> None:
    replace(deployed, "views/orders.py", "> 100", "> 200")
    (step,) = plan(deployed).steps
    assert (step.name, step.action, step.safety) == ("sales.large", Action.REPLACE, Safety.SAFE)
    assert step.words[0] == "In the condition of the filter, `amount` > 100 became `amount` > 200."
    assert "-WHERE amount > 100" in step.sql_diff()
    assert [(r.name, r.is_in_project, r.columns) for r in step.readers] == [
        ("sales.by_customer", True, ("id", "customer")),
        ("sales.late", True, ("id", "customer", "day")),
    ]


def test_a_notebook_shows_a_plan(deployed: Path) -> None:
    replace(deployed, "views/orders.py", '"large", comment="Large orders."', '"large", comment="<script>$"')
    replace(deployed, "views/orders.py", "> 100", "> 200")
    made = plan(deployed)
    page = made._repr_html_()
    assert "<summary>~ replace sales.large  [safe]</summary>" in page
    assert '<span style="background: rgba(46, 160, 67, 0.25)">+WHERE amount &gt; 200</span>' in page
    assert "<li>In the condition of the filter, `amount` &gt; 100 became `amount` &gt; 200.</li>" in page
    assert "<li>read by sales.by_customer (in the project; id, customer)" in page
    assert "1 to replace; 2 unchanged." in page
    assert "<script" not in page
    assert "$" not in page
    assert repr(made).startswith("Plan of shop for files\n\n~ replace sales.large  [safe]\n")


def test_a_notebook_shows_the_text_of_a_new_view(project: Path) -> None:
    page = plan(project)._repr_html_()
    assert "<summary>+ create sales.large  [safe]</summary>" in page
    assert "+WHERE" not in page
    assert "<li>The view is new: id BIGINT NOT NULL" in page
    assert "WHERE amount &gt; 100</span>" in page


def test_type_of_a_column_changes_readers(deployed: Path) -> None:
    replace(deployed, "views/orders.py", 'select(col("id"),', 'select(col("id").cast("INT").alias("id"),')
    step = _steps(plan(deployed))["sales.large"]
    assert step.safety is Safety.CHANGES_READERS
    assert any("BIGINT" in words and "INT" in words for words in step.words)


def test_dropped_column_breaks_a_reader_outside_the_project(deployed: Path) -> None:
    write(
        deployed,
        "target/sales/views/report.sql",
        "CREATE VIEW report AS SELECT day, COUNT(*) AS n FROM large GROUP BY day;\n",
    )
    write(deployed, "target/sales/views/other.sql", "CREATE VIEW other AS SELECT id FROM large;\n")
    replace(deployed, "views/orders.py", ', col("day"))', ")")
    write(deployed, "catalog/sales/views/late.sql", "CREATE VIEW late AS SELECT id, customer FROM large;\n")
    made = plan(deployed)
    step = _steps(made)["sales.large"]
    assert made.safety is step.safety is Safety.DESTRUCTIVE
    effects = {reader.name: reader for reader in step.readers}
    assert effects["sales.report"].breaks
    assert "day" in effects["sales.report"].effect
    assert not effects["sales.other"].breaks
    assert effects["sales.other"].effect == ""
    assert effects["sales.other"].columns == ("id",)


def test_comments_and_properties(deployed: Path) -> None:
    replace(deployed, "views/orders.py", '"Large orders."', '"Orders above 100."')
    replace(deployed, "views/orders.py", '"the order"', '"its number"')
    replace(deployed, "views/orders.py", 'owner="sales"', 'owner="finance", properties={"tier": "1"}')
    steps = _steps(plan(deployed))
    # A column that a view passes on keeps its comment there.
    changed = "The comment of the column `id` became 'its number'; it was 'the order'."
    assert steps["sales.late"].words == (changed,)
    assert steps["sales.large"].words == (
        "The comment became 'Orders above 100.'; it was 'Large orders.'.",
        changed,
        "The property 'owner' became 'finance'; it was 'sales'.",
        "The property 'tier' is new: '1'.",
    )
    apply(deployed)
    assert plan(deployed).steps == ()


def test_removed_view_is_dropped_and_destructive(deployed: Path) -> None:
    (deployed / "catalog/sales/views/late.sql").unlink()
    (step,) = plan(deployed).steps
    assert (step.action, step.safety) == (Action.DROP, Safety.DESTRUCTIVE)
    assert step.statement == "DROP VIEW spark_catalog.sales.late"
    apply(deployed)
    assert not (deployed / "target/sales/views/late.sql").exists()


def test_view_that_nobody_deployed_stays(deployed: Path) -> None:
    write(deployed, "target/sales/views/theirs.sql", "CREATE VIEW theirs AS SELECT 1 AS a;\n")
    assert plan(deployed).steps == ()


def test_equal_view_of_nobody_is_adopted(project: Path) -> None:
    text = (
        "CREATE VIEW large (id COMMENT 'the order', customer, day) COMMENT 'Large orders.' "
        "TBLPROPERTIES ('owner' = 'sales') AS SELECT id, customer, day FROM orders WHERE amount > 100;\n"
    )
    write(project, "target/sales/views/large.sql", text)
    assert _steps(plan(project))["sales.large"].action is Action.ADOPT
    apply(project)
    assert plan(project).steps == ()


def test_edited_view_is_never_overwritten_silently(deployed: Path) -> None:
    replace(deployed, "target/sales/views/late.sql", "2024-01-01", "2023-01-01")
    with pytest.raises(ProjectError, match=r"sales\.late was changed at the target after it was deployed\."):
        plan(deployed)
    (step,) = plan(deployed, overwrite_edited=True).steps
    assert "2023" in step.before
    assert "2024" in step.after
    apply(deployed, overwrite_edited=True)
    assert plan(deployed).steps == ()


def test_two_projects_cannot_have_one_view(deployed: Path) -> None:
    replace(deployed, "tableapi.toml", 'name = "shop"', 'name = "other"')
    with pytest.raises(ProjectError, match="was deployed by the project shop"):
        plan(deployed)


def test_table_in_the_place_of_a_view(project: Path) -> None:
    write(project, "target/sales/tables/late.sql", "CREATE TABLE late (id INT);\n")
    with pytest.raises(ProjectError, match=r"sales\.late is a table at the target"):
        plan(project)


def test_target_without_a_column_that_is_read(project: Path) -> None:
    write(project, "target/sales/tables/orders.sql", "CREATE TABLE orders (id BIGINT, amount DECIMAL(10, 2));\n")
    with pytest.raises(ProjectError, match="lacks what 1 view of the project reads") as raised:
        plan(project)
    assert "sales.large: " in str(raised.value)
    assert "customer" in str(raised.value)


def test_broken_project_is_not_planned(project: Path) -> None:
    replace(project, "views/orders.py", 'col("amount")', 'col("amout")')
    with pytest.raises(ProjectError, match=r"has 3 errors; nothing is planned"):
        plan(project)


def test_nullability_is_that_of_the_target(project: Path) -> None:
    replace(project, "target/sales/tables/orders.sql", "BIGINT NOT NULL", "BIGINT")
    assert "id BIGINT, customer" in plan(project).steps[0].words[0]
    apply(project)
    assert plan(project).steps == ()


# --- apply -----------------------------------------------------------------------------------------------------------


def test_plan_of_another_state_is_refused(project: Path) -> None:
    made = planner(project)
    found = made.plan()
    write(project, "target/sales/views/late.sql", "CREATE VIEW late AS SELECT 1 AS a;\n")
    with pytest.raises(ProjectError, match=r"no longer as the plan saw it: sales\.late\. Nothing was changed"):
        apply_plan(found, made, made.deployment)
    assert not (project / "target/sales/views/large.sql").exists()


@pytest.mark.parametrize("step", range(4))
def test_run_that_ends_anywhere_can_be_repeated(
    project: Path, tmp_path_factory: pytest.TempPathFactory, step: int
) -> None:
    made = planner(project)
    found = made.plan()

    class Killed(Exception):
        """Ends the run as a signal would."""

    def kill(number: int, total: int, current: Step) -> None:
        if number > step:
            raise Killed

    if step < 3:
        with pytest.raises(Killed):
            apply_plan(found, made, made.deployment, progress=kill)
    else:
        apply_plan(found, made, made.deployment, progress=kill)
    assert len(plan(project).steps) == 3 - step
    apply(project)
    assert plan(project).steps == ()
    fresh = shutil.copytree(project, tmp_path_factory.mktemp("fresh") / "project")
    shutil.rmtree(fresh / "target/sales/views")
    apply(fresh)
    for path in (fresh / "target/sales/views").iterdir():
        assert path.read_text() == (project / "target/sales/views" / path.name).read_text()


def test_journal_says_who_did_what(deployed: Path) -> None:
    replace(deployed, "views/orders.py", "> 100", "> 200")
    apply(deployed)
    project = Project.load(deployed)
    entries = Journal(Deployment.connect(project.configuration, "files")).entries()
    assert [entry.action for entry in entries] == ["create", "create", "create", "replace"]
    last = entries[-1]
    assert (last.view, last.project, last.revision) == ("spark_catalog.sales.large", "shop", "r1")
    assert "`amount` > 100 became `amount` > 200" in last.words
    assert ("100" in last.before, "200" in last.after) == (True, True)
    assert len({entry.deployment for entry in entries}) == 2


def test_environment_has_databases_of_its_own(deployed: Path) -> None:
    replace(deployed, "views/orders.py", "> 100", "> 200")
    made = plan(deployed, environment="dev")
    assert {step.name for step in made.steps} == {"dev_sales.large", "dev_sales.late", "dev_sales.by_customer"}
    late = _steps(made)["dev_sales.late"]
    assert "FROM dev_sales.large" in late.after
    assert "FROM sales.orders" in _steps(made)["dev_sales.large"].after
    apply(deployed, environment="dev")
    assert plan(deployed, environment="dev").steps == ()
    assert [step.name for step in plan(deployed).steps] == ["sales.large"]


def test_a_comment_names_the_source_if_the_project_wants_it(project: Path) -> None:
    replace(project, "tableapi.toml", "[targets.files]", "source_comments = true\n\n[targets.files]")
    made = planner(project, revision="abc123")
    found = made.plan()
    (step,) = [step for step in found.steps if step.name == "sales.large"]
    comment = "SELECT /* tableapi: views/orders.py:5, revision abc123 */ id"
    assert comment in step.statement
    assert "/*" not in step.after
    apply_plan(found, made, made.deployment)
    stored = (project / "target/sales/views/large.sql").read_text()
    assert comment in stored
    assert plan(project, revision="def456").steps == ()
    # A person who edits the text beside the comment is noticed.
    replace(project, "target/sales/views/large.sql", "> 100", "> 101")
    with pytest.raises(ProjectError, match="was changed at the target"):
        plan(project)


def test_source_comments_are_on_or_off(project: Path) -> None:
    replace(project, "tableapi.toml", "[targets.files]", "source_comments = 'yes'\n\n[targets.files]")
    with pytest.raises(ProjectError, match=r":5: source_comments is true or false, but is 'yes'"):
        plan(project)


def test_a_changed_table_below_a_view_outside_the_project_is_told(deployed: Path) -> None:
    write(deployed, "target/sales/views/foreign.sql", "CREATE VIEW foreign AS SELECT id, amount FROM orders;\n")
    made = planner(deployed)
    found = made.deployment.view("sales", "foreign")
    assert found is not None
    assert found.schema is not None
    # As Spark stores it: the view was made when the column was an INT.
    stored = [column.evolve(data_type=INT) if column.name == "amount" else column for column in found.schema.columns]
    made.deployment.stored_schemas = {("sales", "foreign"): ResolvedSchema(tuple(stored))}
    plan = made.plan()
    assert plan.steps == ()
    (said,) = plan.drift_outside["sales.foreign"]
    assert "the column `amount` is DECIMAL(10, 2) there now, and the view was made with INT" in said
    assert "sales.foreign is a view outside the project" in str(plan)


def test_a_contract_holds_at_the_target_too(project: Path) -> None:
    replace(
        project,
        "views/orders.py",
        '@view("by_customer")',
        '@view("by_customer", schema={"customer": "STRING", "n": "BIGINT"})',
    )
    assert plan(project).steps
    replace(project, "target/sales/tables/orders.sql", "customer STRING", "customer INT")
    with pytest.raises(ProjectError, match="views have other columns than they declare") as refused:
        plan(project)
    said = "  sales.by_customer: The column 'customer' is declared as STRING, and the query gives INT."
    assert str(refused.value).splitlines()[1:] == [said]


def test_a_table_that_vanished_after_the_plan_is_named_before_anything_is_written(project: Path) -> None:
    made = planner(project)
    found = made.plan()
    (project / "target/sales/tables/orders.sql").unlink()
    with pytest.raises(ProjectError, match=r"no longer has what sales\.large reads: .*orders.* Nothing was changed"):
        apply_plan(found, made, made.deployment)
    assert made.deployment.catalog.list_views("sales") == []
