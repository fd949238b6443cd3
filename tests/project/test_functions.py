"""Functions of a project: checked, planned, deployed, recorded and taken back as views are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tableapi.project.apply import apply_plan
from tableapi.project.configuration import ProjectError
from tableapi.project.journal import Entry, Journal
from tableapi.project.project import Project
from tableapi.project.rollback import Rollback
from tableapi.project.steps import Kind, Plan, Step
from tests.project.projects import plan, planner, replace, write

NET = "CREATE FUNCTION net(x DECIMAL(10, 2)) RETURNS DECIMAL(10, 2) COMMENT 'without tax' RETURN x / 1.2;\n"
TWICE = "CREATE FUNCTION twice_net(x DECIMAL(10, 2)) RETURNS DECIMAL(11, 2) RETURN 2 * net(x);\n"
RECENT = (
    "CREATE FUNCTION recent(since DATE) RETURNS TABLE(id BIGINT, customer STRING) "
    "RETURN SELECT id, customer FROM large WHERE day >= since;\n"
)
CODE = """\
from tableapi.udf import udf


@udf(result_type="STRING")
def shout(text: str) -> str:
    return text.upper()
"""
SHOUT = "CREATE FUNCTION shout AS 'views.words.shout' LANGUAGE PYTHON;\n"
NETS = "CREATE VIEW nets AS SELECT id, twice_net(amount) AS net, shout(customer) AS who FROM orders;\n"
RECENTLY = "CREATE VIEW recently AS SELECT * FROM recent(DATE '2024-01-01');\n"
FUNCTIONS = "catalog/sales/functions"
VIEWS = "catalog/sales/views"


@pytest.fixture
def project(project: Path) -> Path:
    """A project of five views, three functions in SQL and one in Python."""
    for name, text in (("net", NET), ("twice_net", TWICE), ("recent", RECENT), ("shout", SHOUT)):
        write(project, f"{FUNCTIONS}/{name}.sql", text)
    write(project, "views/words.py", CODE)
    write(project, f"{VIEWS}/nets.sql", NETS)
    write(project, f"{VIEWS}/recently.sql", RECENTLY)
    return project


def deploy(folder: Path, **options: bool) -> Plan:
    """Apply the plan of a project, and return it."""
    made = planner(folder, **options)
    found = made.plan()
    apply_plan(found, made, made.deployment)
    return found


def entries(folder: Path) -> list[Entry]:
    """Return the journal of the target."""
    return Journal(planner(folder).deployment).entries()


def functions_of(found: Plan) -> dict[str, Step]:
    """Return the steps of functions by their names."""
    return {step.name: step for step in found.steps if step.kind is Kind.FUNCTION}


def test_a_function_is_made_before_what_calls_it_and_after_what_it_reads(project: Path) -> None:
    made = plan(project)
    names = [step.name for step in made.steps]
    for first, second in (
        ("sales.net", "sales.twice_net"),
        ("sales.twice_net", "sales.nets"),
        ("sales.shout", "sales.nets"),
        ("sales.large", "sales.recent"),
        ("sales.recent", "sales.recently"),
    ):
        assert names.index(first) < names.index(second)
    assert functions_of(made)["sales.net"].words == ("The function is new: (x DECIMAL(10, 2)) returns DECIMAL(10, 2).",)


def test_nothing_is_left_after_a_deployment(project: Path) -> None:
    deploy(project)
    assert plan(project).steps == ()
    assert {entry.action for entry in entries(project)} == {"create", "create function"}
    catalog = planner(project).deployment.catalog
    assert catalog.list_functions("sales") == ["net", "recent", "shout", "twice_net"]


def test_another_layout_of_the_text_is_no_change(project: Path) -> None:
    deploy(project)
    replace(project, f"{FUNCTIONS}/net.sql", "RETURN x / 1.2", "RETURN\n  x   /  1.2 -- the tax")
    assert plan(project).steps == ()


def test_changes_are_said_in_words_with_the_callers(project: Path) -> None:
    deploy(project)
    replace(project, f"{FUNCTIONS}/twice_net.sql", "2 * net(x)", "3 * net(x)")
    step = functions_of(plan(project))["sales.twice_net"]
    assert step.words == ("The body became 3 * net(x); it was 2 * net(x).",)
    assert (step.safety.value, [reader.name for reader in step.readers]) == ("safe", ["sales.nets"])
    assert step.statement.startswith("CREATE OR REPLACE FUNCTION `spark_catalog`.`sales`.`twice_net`(")
    replace(project, f"{FUNCTIONS}/twice_net.sql", "RETURNS DECIMAL(11, 2)", "RETURNS DOUBLE COMMENT 'twice'")
    step = functions_of(plan(project))["sales.twice_net"]
    assert step.words[0] == (
        "The signature became (x DECIMAL(10, 2)) returns DOUBLE; it was (x DECIMAL(10, 2)) returns DECIMAL(11, 2)."
    )
    assert step.words[-1] == "The comment became 'twice'; it was ''."
    assert step.safety.value == "changes readers"
    # The view that calls it has another column type now.
    _, view = plan(project).steps
    assert (view.name, view.safety.value) == ("sales.nets", "changes readers")
    assert view.words == ("The type of the column `net` became DOUBLE, it was DECIMAL(11, 2).",)
    deploy(project)
    assert plan(project).steps == ()


def test_a_function_that_is_gone_is_dropped_last(project: Path) -> None:
    deploy(project)
    (project / f"{VIEWS}/recently.sql").unlink()
    (project / f"{FUNCTIONS}/recent.sql").unlink()
    steps = plan(project).steps
    assert [(step.kind.value, step.action.value, step.name) for step in steps] == [
        ("view", "drop", "sales.recently"),
        ("function", "drop", "sales.recent"),
    ]
    deploy(project)
    assert "recent" not in planner(project).deployment.catalog.list_functions("sales")


def test_dropping_a_function_that_another_view_calls_is_told(project: Path) -> None:
    deploy(project)
    write(project, "target/sales/views/foreign.sql", "CREATE VIEW foreign AS SELECT net(amount) AS n FROM orders;\n")
    for name in ("net", "twice_net"):
        (project / f"{FUNCTIONS}/{name}.sql").unlink()
    (project / f"{VIEWS}/nets.sql").unlink()
    step = functions_of(plan(project))["sales.net"]
    (caller,) = [reader for reader in step.readers if reader.breaks]
    assert (caller.name, caller.is_in_project) == ("sales.foreign", False)
    assert "net" in caller.effect


def test_functions_of_others_stay(project: Path) -> None:
    deploy(project)
    write(project, "target/sales/functions/other.sql", "CREATE FUNCTION other(x INT) RETURNS INT RETURN x;\n")
    assert plan(project).steps == ()
    write(project, f"{FUNCTIONS}/other.sql", "CREATE FUNCTION other(x INT) RETURNS INT RETURN x + 1;\n")
    with pytest.raises(ProjectError, match=r"sales\.other was not deployed by any project"):
        plan(project)
    assert list(functions_of(deploy(project, overwrite_edited=True))) == ["sales.other"]
    replace(project, "tableapi.toml", 'name = "shop"', 'name = "store"')
    replace(project, f"{FUNCTIONS}/other.sql", "x + 1", "x + 2")
    with pytest.raises(ProjectError, match=r"sales\.other was deployed by the project shop\. Two projects"):
        plan(project, overwrite_edited=True)


def test_a_function_that_was_edited_by_hand_is_kept(project: Path) -> None:
    deploy(project)
    replace(project, "target/sales/functions/net.sql", "1.2", "1.3")
    with pytest.raises(ProjectError, match=r"sales\.net was changed at the target after it was deployed"):
        plan(project)
    deploy(project, overwrite_edited=True)
    assert plan(project).steps == ()


def test_a_plan_of_another_state_is_refused(project: Path) -> None:
    made = planner(project)
    found = made.plan()
    write(project, "target/sales/functions/net.sql", NET.replace("1.2", "1.3"))
    with pytest.raises(ProjectError, match=r"no longer as the plan saw it: sales\.net\. Nothing was changed"):
        apply_plan(found, made, made.deployment)


def test_functions_are_taken_back(project: Path) -> None:
    deploy(project)
    first = entries(project)[-1].deployment
    replace(project, f"{FUNCTIONS}/net.sql", "1.2", "1.3")
    (project / f"{VIEWS}/recently.sql").unlink()
    (project / f"{FUNCTIONS}/recent.sql").unlink()
    write(project, f"{FUNCTIONS}/more.sql", "CREATE FUNCTION more(x INT) RETURNS INT RETURN x + 1;\n")
    deploy(project)
    made = planner(project)
    found = Rollback(made, entries(project)).plan(first)
    assert [(step.action.value, step.name) for step in found.steps] == [
        ("replace", "sales.net"),
        ("create", "sales.recent"),
        ("create", "sales.recently"),
        ("drop", "sales.more"),
    ]
    apply_plan(found, made, made.deployment)
    catalog = planner(project).deployment.catalog
    assert catalog.list_functions("sales") == ["net", "recent", "shout", "twice_net"]
    restored = catalog.get_function("sales", "net")
    assert restored is not None
    assert (restored.body.strip(), restored.comment) == ("x / 1.2", "without tax")


def test_an_environment_has_functions_of_its_own(project: Path) -> None:
    deploy(project)
    replace(project, f"{FUNCTIONS}/net.sql", "1.2", "1.3")
    write(
        project,
        f"{FUNCTIONS}/recent.sql",
        RECENT.replace("FROM large", "FROM sales.large").replace("id, customer FROM", "id, sales.shout(customer) FROM"),
    )
    made = planner(project, environment="dev")
    found = made.plan()
    apply_plan(found, made, made.deployment)
    assert list(functions_of(found)) == [f"dev_sales.{name}" for name in ("net", "shout", "twice_net", "recent")]
    texts = {step.name: step.after for step in found.steps}
    assert "dev_sales.twice_net(" in texts["dev_sales.nets"]
    assert "dev_sales.shout(" in texts["dev_sales.nets"]
    assert "FROM dev_sales.recent(" in texts["dev_sales.recently"]
    assert "2 * dev_sales.net(x)" in texts["dev_sales.twice_net"]
    assert "dev_sales.shout(customer) FROM spark_catalog.dev_sales.large " in texts["dev_sales.recent"]
    assert plan(project, environment="dev").steps == ()
    # Production has other functions than the environment, and neither drops those of the other.
    (step,) = (step for step in plan(project).steps if step.name == "sales.net")
    assert (step.kind, step.action.value) == (Kind.FUNCTION, "replace")
    assert not any(step.name.startswith("dev_") for step in plan(project).steps)


def test_a_function_that_is_gone_is_dropped_in_its_environment_alone(project: Path) -> None:
    for environment in (None, "dev"):
        made = planner(project, environment=environment)
        apply_plan(made.plan(), made, made.deployment)
    (project / f"{VIEWS}/recently.sql").unlink()
    (project / f"{FUNCTIONS}/recent.sql").unlink()
    assert [step.name for step in plan(project, environment="dev").steps] == ["dev_sales.recently", "dev_sales.recent"]
    assert [step.name for step in plan(project).steps] == ["sales.recently", "sales.recent"]


def test_a_broken_function_is_found(project: Path) -> None:
    replace(project, f"{FUNCTIONS}/shout.sql", "views.words.shout", "views.words.shuot")
    write(project, f"{FUNCTIONS}/rated.sql", "CREATE FUNCTION rated(x INT) RETURNS INT RETURN x * rate(1);\n")
    lost = "CREATE FUNCTION lost() RETURNS TABLE(id BIGINT) RETURN SELECT id FROM order_;\n"
    write(project, f"{FUNCTIONS}/lost.sql", lost)
    write(project, f"{FUNCTIONS}/torn.sql", "CREATE FUNCTION torn(x INT) RETURN x +;\n")
    found = {finding.subject: finding for finding in Project.load(project).check()}
    assert "has nothing named 'shuot'" in found["sales.shout"].message
    assert found["sales.shout"].file == f"{FUNCTIONS}/shout.sql"
    assert any("torn" in finding.file for finding in found.values())
    assert "sales.nets" in found
    # Nothing calls these.
    assert "There is no function named 'rate'" in found["sales.rated"].message
    assert "`order_` was not found" in found["sales.lost"].message
    assert (found["sales.lost"].file, found["sales.lost"].line) == (f"{FUNCTIONS}/lost.sql", 1)
    with pytest.raises(ProjectError, match="nothing is planned"):
        plan(project)


def test_names_in_the_text_of_a_function_are_full_at_the_target(project: Path) -> None:
    write(
        project,
        f"{FUNCTIONS}/largest.sql",
        "CREATE FUNCTION largest(who STRING) RETURNS BIGINT RETURN SELECT MAX(l.id) FROM large AS l "
        "WHERE l.customer = who AND EXISTS (SELECT 1 FROM sales.orders AS o WHERE sales.net(o.amount) > ABS(l.id));\n",
    )
    deploy(project)
    stored = planner(project).deployment.catalog.get_function("sales", "largest")
    assert stored is not None
    assert "FROM `spark_catalog`.`sales`.large AS l" in stored.body
    assert "FROM `spark_catalog`.sales.orders AS o" in stored.body
    # Spark takes no catalog of a function in the text of another one.
    assert "WHERE sales.net(o.amount) > ABS(l.id)" in stored.body
    assert plan(project).steps == ()
    replace(project, f"{FUNCTIONS}/largest.sql", "sales.net(", "Spark_Catalog.sales.net(")
    assert plan(project).steps == ()


def test_a_parameter_may_have_the_name_of_another_function(project: Path) -> None:
    named = NET.replace("net(x ", "net(twice_net ").replace("RETURN x", "RETURN twice_net")
    write(project, f"{FUNCTIONS}/net.sql", named)
    names = [step.name for step in plan(project).steps]
    assert names.index("sales.net") < names.index("sales.twice_net")
    deploy(project)
    assert plan(project).steps == ()


def test_views_that_call_a_function_through_another_are_told(project: Path) -> None:
    # A column that is called as the function is no call.
    write(project, f"{VIEWS}/plain.sql", "CREATE VIEW plain AS SELECT id AS net FROM orders;\n")
    deploy(project)
    write(
        project, "target/sales/views/foreign.sql", "CREATE VIEW foreign AS SELECT twice_net(amount) AS n FROM orders;\n"
    )
    replace(project, f"{FUNCTIONS}/net.sql", "1.2", "1.3")
    (step,) = plan(project).steps
    assert [(reader.name, reader.is_in_project) for reader in step.readers] == [
        ("sales.foreign", False),
        ("sales.nets", True),
    ]


def test_an_aggregate_over_a_window_is_a_call(project: Path) -> None:
    code = """\


@udaf(result_type="BIGINT", func_type="pandas")
def total(amounts: pd.Series) -> int:
    return int(amounts.sum())
"""
    heads = "import pandas as pd\n\nfrom tableapi import udaf\n"
    write(project, "views/totals.py", heads + code)
    write(project, f"{FUNCTIONS}/total.sql", "CREATE FUNCTION total AS 'views.totals.total' LANGUAGE PYTHON;\n")
    # By name it comes before its function.
    query = "SELECT id, total(id) OVER (PARTITION BY customer) AS t FROM orders"
    write(project, f"{VIEWS}/a_total.sql", f"CREATE VIEW a_total AS {query};\n")
    made = plan(project, environment="dev")
    names = [step.name for step in made.steps]
    assert names.index("dev_sales.total") < names.index("dev_sales.a_total")
    assert "dev_sales.total(" in next(step.after for step in made.steps if step.name == "dev_sales.a_total")
