"""Deploy 60 views to a remote Hive Metastore server: deployers at once, killed ones, readers meanwhile, and grants.

``python -m tests.project.metastore`` takes PostgreSQL for the server if it is installed, and Derby otherwise or with
``--derby``. Each deployer is a process with a JVM of its own, which takes a quarter of a minute to start.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tableapi import TableEnvironment
from tests.metastore_server import Metastore, has_postgresql, serve_metastore
from tests.project.big_project import VIEWS, change_big_project, table_statements, write_big_project
from tests.project.kills import deploy_twice_at_once, kill_until_done, mark, planner, require_deployed
from tests.project.projects import write

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# The module of the project that makes its sessions.
_SESSIONS: Final = """\
from pyspark.sql import SparkSession


def session():
    builder = SparkSession.builder.master("local[1]").appName("deployer")
    builder = builder.config("spark.hadoop.hive.metastore.uris", {address!r})
    builder = builder.config("spark.sql.warehouse.dir", {warehouse!r})
    builder = builder.config("spark.ui.enabled", "false").config("spark.sql.session.timeZone", "UTC")
    return builder.enableHiveSupport().getOrCreate()
"""
_GRANTED: Final = ("tpch", "q1"), ("flights", "delays_0"), ("flights", "delays_3")


class Reader:
    """Reads views again and again while others deploy, and counts what it reads and what fails.

    Args:
        spark: the session that reads.
        views: the names of the views.
    """

    def __init__(self, spark: SparkSession, views: list[str]) -> None:
        self._spark = spark
        self._views = views
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._read)
        self.texts: dict[str, set[str]] = {view: set() for view in views}
        self.failures: Counter[str] = Counter()
        self.reads = 0

    def __enter__(self) -> Reader:
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _read(self) -> None:
        while not self._is_over.is_set():
            for view in self._views:
                try:
                    self._spark.table(view).collect()
                    text = self._spark.sql(f"SHOW CREATE TABLE {view}").collect()[0][0]
                    self.texts[view].add(text.partition("\nAS ")[2])
                except Exception as error:
                    self.failures[f"{view}: {str(error).splitlines()[0][:300]}"] += 1
                self.reads += 1

    def require_success(self) -> None:
        """Check that no read failed, and that each view had the old or the new text.

        Raises:
            AssertionError: a read failed, or a view had a third text.
        """
        assert not self.failures, self.failures
        assert all(1 <= len(texts) <= 2 for texts in self.texts.values()), self.texts
        changed = sum(len(texts) == 2 for texts in self.texts.values())
        print(f"{self.reads} reads during the deployment, none failed; {changed} views were seen to change", flush=True)


class Grants:
    """Grants of the metastore, which belong to a view and not to its name: a view that is made anew has none.

    Args:
        spark: a session over the metastore.
    """

    def __init__(self, spark: SparkSession) -> None:
        session: Any = spark
        jvm = session._jvm
        self._api = jvm.org.apache.hadoop.hive.metastore.api
        configuration = jvm.org.apache.hadoop.hive.conf.HiveConf(
            session._jsc.hadoopConfiguration(), jvm.Class.forName("org.apache.hadoop.hive.conf.HiveConf")
        )
        self._client = jvm.org.apache.hadoop.hive.metastore.HiveMetaStoreClient(configuration)

    def add(self) -> None:
        """Let a user read some of the views."""
        api = self._api
        bag = api.PrivilegeBag()
        for database, view in _GRANTED:
            user = api.PrincipalType.USER
            granted = api.PrivilegeGrantInfo("SELECT", 0, "admin", user, False)
            bag.addToPrivileges(api.HiveObjectPrivilege(self._view(database, view), "analyst", user, granted))
        self._client.grant_privileges(bag)

    def require(self) -> None:
        """Check that the user can still read them.

        Raises:
            AssertionError: a grant is gone.
        """
        for database, view in _GRANTED:
            found = self._client.list_privileges("analyst", self._api.PrincipalType.USER, self._view(database, view))
            assert [one.getGrantInfo().getPrivilege() for one in found] == ["SELECT"], (database, view)
        print(f"{len(_GRANTED)} grants are as they were", flush=True)

    def _view(self, database: str, view: str) -> Any:
        return self._api.HiveObjectRef(self._api.HiveObjectType.TABLE, database, view, None, None)


def write_project(folder: Path, metastore: Metastore) -> Path:
    """Write the project of 60 views whose target is a metastore server."""
    project = write_big_project(folder, 'session = "sessions:session"')
    text = _SESSIONS.format(address=metastore.address, warehouse=str(metastore.warehouse))
    write(project, "sessions.py", text)
    return project


def connect(project: Path) -> TableEnvironment:
    """Return an environment of this process over the metastore of a project."""
    sys.path.insert(0, str(project))
    try:
        import sessions
    finally:
        sys.path.remove(str(project))
    return TableEnvironment.create(spark=sessions.session())


def run(project: Path, choose: random.Random, kills: int) -> None:
    """Deploy two versions of the project.

    Raises:
        AssertionError: the target does not have what it should.
    """
    te = connect(project)
    for statement in table_statements():
        te.spark.sql(statement)
    killed, runs = kill_until_done(project, choose, kills)
    print(f"{VIEWS} views: {killed} deployments killed with their JVM, {runs} in all", flush=True)
    mark(te)
    grants = Grants(te.spark)
    grants.add()
    require_deployed(project, te)

    before = {view.name for view in planner(project, te).project.views().values()}
    change_big_project(project)
    kept = sorted(view.name for view in planner(project, te).project.views().values() if view.name in before)
    with Reader(te.spark, kept) as reader:
        deploy_twice_at_once(project)
        # One of the two may have ended when it met what the other had done.
        kill_until_done(project, choose, 0)
    print("the second version: deployed by two at once", flush=True)
    reader.require_success()
    require_deployed(project, te)
    grants.require()


def main() -> int:
    """Run the deployments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--derby", action="store_true", help="keep the metastore in Derby")
    parser.add_argument("--kills", type=int, default=3, help="how many deployments of each version are killed")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as scratch,
        serve_metastore(Path(scratch) / "server", postgresql=has_postgresql() and not given.derby) as metastore,
    ):
        print(f"a metastore server over {metastore.database} at {metastore.address}", flush=True)
        run(write_project(Path(scratch) / "project", metastore), random.Random(given.seed), given.kills)
    return 0


if __name__ == "__main__":
    sys.exit(main())
