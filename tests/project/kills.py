"""Kill deployments of 60 views with SIGKILL, deploy again, and see the target converge.

``python -m tests.project.kills`` starts a Spark Connect server, and kills each deployment within its first statement,
or after that and before its second, until nothing is left to do; then two deployers at once deploy another version.
``--embedded`` kills the JVM, too: each deployment then starts its own Spark over one Derby database, which takes a
quarter of a minute. ``--files`` deploys to a folder of files, without a JVM.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from ir.errors import TableException
from tableapi import TableEnvironment
from tableapi.project.apply import apply_plan
from tableapi.project.deployment import Deployment
from tableapi.project.journal import Journal
from tableapi.project.plan import Planner
from tableapi.project.project import Project
from tableapi.project.steps import Step
from tests.project.big_project import VIEWS, change_big_project, table_statements, write_big_project

_ROOT = Path(__file__).parents[2]
# The longest time between the announcement of a statement and the kill, in seconds: a statement of Spark, and a file.
_LONGEST = 0.6
_LONGEST_OF_FILES = 0.03
# How often one version may be deployed until nothing is left to do.
_MOST = 400


def planner(folder: Path, te: TableEnvironment | None = None) -> Planner:
    """Return a planner of the project in a folder for its target, which is reached in its own way or by ``te``."""
    project = Project.load(folder, "here")
    configuration = project.configuration
    if te is None:
        return Planner(project, Deployment.connect(configuration, "here"))
    te.use_catalog(configuration.catalog_name)
    return Planner(project, Deployment(configuration, configuration.target("here"), te))


def deploy(folder: Path, kill_at: int | None, delay: float) -> int:
    """Deploy a project; kill this process and what it started so many seconds after a step has begun."""

    def kill() -> None:
        time.sleep(delay)
        os.killpg(0, signal.SIGKILL)

    def progress(number: int, total: int, step: Step) -> None:
        if number == kill_at:
            print(f"{total - number + 1} left, {step.action.value} {step.name}", flush=True)
            if delay:
                threading.Thread(target=kill, daemon=True).start()
            else:
                kill()

    try:
        made = planner(folder)
        apply_plan(made.plan(), made, made.deployment, progress=progress)
    except TableException as error:
        # Another deployer was faster. The command line shows the message, too.
        print(str(error).splitlines()[0], flush=True)
        return 1
    return 0


def _child(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.project.kills", "--deploy", str(folder), *arguments],
        cwd=_ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def kill_until_done(folder: Path, choose: random.Random, most_kills: int, longest: float = _LONGEST) -> tuple[int, int]:
    """Deploy until nothing is left to do; return the numbers of deployments that were killed, and of all.

    Raises:
        RuntimeError: a deployment fails in another way, or the target does not converge.
    """
    kills = 0
    for run in range(1, _MOST):
        within, after = ("1", f"{choose.uniform(0, longest):.3f}"), ("2", "0")
        at, delay = within if kills % 2 else after
        arguments = ["--kill-at", at, "--delay", delay] if kills < most_kills else []
        child = _child(folder, *arguments)
        said, _ = child.communicate()
        if child.returncode == -signal.SIGKILL:
            kills += 1
            print(f"killed: {said.strip().splitlines()[-1]}", flush=True)
        elif child.returncode == 0:
            return kills, run
        else:
            raise RuntimeError(f"a deployment ended with {child.returncode}:\n{said[-3000:]}")
    raise RuntimeError("the target does not converge")


def require_deployed(folder: Path, te: TableEnvironment) -> None:
    """Check that the target has all views of the project with their properties, and nothing of others has changed.

    Raises:
        AssertionError: something is missing, or has changed.
    """
    made = planner(folder, te)
    plan = made.plan()
    assert plan.steps == (), plan.steps
    entries = Journal(made.deployment).entries()
    views = made.project.views()
    recorded = {entry.view for entry in entries}
    for view in views.values():
        assert view.name in {name.removeprefix("spark_catalog.") for name in recorded}, view.name
        # The tables are empty, and an aggregation without groups has one row.
        assert te.spark.sql(f"SELECT * FROM {view.name}").count() <= 1, view.name
    assert "'seen' = 'by another tool'" in te.show_create_view("tpch.q1")
    assert te.spark.sql("SELECT n FROM reports.others").collect()[0].n == 0
    print(f"{len(views)} views are as the project wants them; {len(entries)} entries in the journal", flush=True)


def mark(te: TableEnvironment) -> None:
    """Make what other tools have at the target: a view, and a property of a view of the project."""
    te.execute_sql("CREATE VIEW reports.others AS SELECT COUNT(*) AS n FROM flights.delayed")
    te.execute_sql("ALTER VIEW tpch.q1 SET TBLPROPERTIES ('seen' = 'by another tool')")


def deploy_twice_at_once(folder: Path) -> list[int]:
    """Deploy with two processes at once, and return their exit statuses: 1 if the other one was faster."""
    children = [_child(folder) for _ in range(2)]
    statuses = []
    for child in children:
        said, _ = child.communicate()
        if child.returncode not in (0, 1) or "Traceback" in said:
            raise RuntimeError(f"a deployment ended with {child.returncode}:\n{said[-3000:]}")
        print(f"a deployer ended with {child.returncode}: {said.strip()[-200:]}", flush=True)
        statuses.append(child.returncode)
    return statuses


def main() -> int:
    """Run the kills, or one deployment."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deploy", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--kill-at", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--delay", type=float, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kills", type=int, default=_MOST, help="after so many kills, deployments are left alone")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--embedded", action="store_true", help="kill the JVM, too, over one Derby database")
    where.add_argument("--files", action="store_true", help="deploy to a folder of files")
    given = parser.parse_args()
    if given.deploy is not None:
        return deploy(given.deploy, given.kill_at, given.delay)
    choose = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        if given.embedded:
            run_embedded(folder, choose, given.kills)
        elif given.files:
            run_files(folder, choose, given.kills)
        else:
            run_connect(folder, choose, given.kills)
    return 0


def run_connect(folder: Path, choose: random.Random, kills: int) -> None:
    """Kill deployers of a Spark Connect server."""
    from tests.connect_server import serve

    with serve(folder / "server") as (te, address):
        project = write_big_project(folder / "project", f'remote = "{address}"')
        run(project, te, choose, kills)


def run(project: Path, te: TableEnvironment, choose: random.Random, kills: int) -> None:
    """Deploy both versions of the project with kills, the second with two deployers at the end."""
    for statement in table_statements():
        te.spark.sql(statement)
    killed, runs = kill_until_done(project, choose, kills)
    print(f"{VIEWS} views: {killed} deployments killed, {runs} in all", flush=True)
    mark(te)
    require_deployed(project, te)
    change_big_project(project)
    killed, runs = kill_until_done(project, choose, min(kills, 10))
    print(f"the second version: {killed} deployments killed, {runs} in all", flush=True)
    require_deployed(project, te)
    for path in sorted((project / "catalog/flights/views").glob("delays_*.sql")):
        path.write_text(path.read_text().replace("distance >", "distance >="))
    deploy_twice_at_once(project)
    kill_until_done(project, choose, 0)
    require_deployed(project, te)


def run_files(folder: Path, choose: random.Random, kills: int) -> None:
    """Kill deployers to a folder of files.

    Raises:
        AssertionError: a view, its entry or its database is missing, or a killed deployer left a part of a file.
    """
    project = write_big_project(folder, 'directory = "target"')
    for tables in (project / "catalog").glob("*/tables"):
        shutil.copytree(tables, project / "target" / tables.parent.name / "tables")
    for number in (1, 2):
        killed, runs = kill_until_done(project, choose, kills, _LONGEST_OF_FILES)
        made = planner(project)
        assert made.plan().steps == ()
        recorded = {entry.view.removeprefix("spark_catalog.") for entry in Journal(made.deployment).entries()}
        assert recorded >= {view.name for view in made.project.views().values()}
        # The last deployment removed what those before it left.
        assert not [path for path in (project / "target").rglob("*") if path.suffix in (".tmp", ".dropped")]
        print(f"version {number}: {killed} deployments killed, {runs} in all", flush=True)
        if number == 1:
            change_big_project(project)
    for path in sorted((project / "catalog/flights/views").glob("delays_*.sql")):
        path.write_text(path.read_text().replace("distance >", "distance >="))
    deploy_twice_at_once(project)
    kill_until_done(project, choose, 0)
    assert planner(project).plan().steps == ()
    print("two deployers at once converge", flush=True)


def run_embedded(folder: Path, choose: random.Random, kills: int) -> None:
    """Kill deployers with their JVM; the tables are made, and the end is checked, in processes of their own."""
    project = write_big_project(folder / "project", 'warehouse = "warehouse"')
    _in_own_process(project, "make_tables")
    killed, runs = kill_until_done(project, choose, kills)
    print(f"{VIEWS} views: {killed} deployments killed with their JVM, {runs} in all", flush=True)
    _in_own_process(project, "check")


def _in_own_process(project: Path, what: str) -> None:
    program = (
        "import sys\nfrom pathlib import Path\nfrom tests.project import kills\nfrom tableapi import TableEnvironment\n"
        "project = Path(sys.argv[1])\nte = TableEnvironment.create(warehouse=project / 'warehouse')\n"
        "if sys.argv[2] == 'make_tables':\n    [te.spark.sql(s) for s in kills.table_statements()]\n"
        "else:\n    kills.mark(te)\n    kills.require_deployed(project, te)\n"
    )
    subprocess.run([sys.executable, "-c", program, str(project), what], cwd=_ROOT, check=True)


if __name__ == "__main__":
    sys.exit(main())
