"""A remote Hive Metastore server from the jars of the pyspark wheel, over PostgreSQL or Derby.

PostgreSQL needs Debian's packages ``postgresql`` and ``libpostgresql-jdbc-java``.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from xml.etree import ElementTree
from xml.sax.saxutils import escape

import attrs
import pyspark

from tableapi.spark.java import find_java

_DRIVER: Final = Path("/usr/share/java/postgresql.jar")
_PROGRAMS: Final = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
_PATIENCE: Final = 90.0
# The user who runs the database server, which refuses to be run by root.
_USER: Final = "postgres"


@attrs.frozen
class Metastore:
    """A metastore server.

    Attributes:
        address: its address, as Spark takes it.
        database: what keeps its contents: ``PostgreSQL`` or ``Derby``.
        warehouse: the folder of managed tables.
    """

    address: str
    database: str
    warehouse: Path


def has_postgresql() -> bool:
    """Whether the database server and its driver are installed."""
    return bool(_PROGRAMS) and _DRIVER.is_file()


def free_port() -> int:
    """Return a port of this machine that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def serve_metastore(folder: Path, *, postgresql: bool) -> Iterator[Metastore]:
    """Start a metastore server whose files are in a folder, and stop it at the end.

    Raises:
        RuntimeError: a server does not start; the message has the end of its log.
    """
    folder.mkdir(parents=True)
    if not postgresql:
        connection = (
            f"jdbc:derby:;databaseName={folder / 'derby'};create=true",
            "org.apache.derby.jdbc.EmbeddedDriver",
        )
        with _serve_thrift(folder, connection) as address:
            yield Metastore(address, "Derby", folder / "warehouse")
        return
    with (
        tempfile.TemporaryDirectory(prefix="metastore-") as data,
        _serve_postgresql(Path(data)) as port,
        _serve_thrift(
            folder, (f"jdbc:postgresql://127.0.0.1:{port}/postgres", "org.postgresql.Driver"), user=_USER
        ) as address,
    ):
        yield Metastore(address, "PostgreSQL", folder / "warehouse")


@contextmanager
def _serve_postgresql(data: Path) -> Iterator[int]:
    """Start a database server whose files are in an empty folder that its user can reach, and yield its port."""
    port, programs = free_port(), _PROGRAMS[-1]
    if os.geteuid() == 0:
        shutil.chown(data, _USER)
    before = ["runuser", "-u", _USER, "--"] if os.geteuid() == 0 else []

    def run(*command: str) -> None:
        done = subprocess.run([*before, *command], capture_output=True, text=True, cwd=data, check=False)
        if done.returncode:
            raise RuntimeError(f"{command[0]} fails: {done.stderr[-2000:]}")

    run(str(programs / "initdb"), "-D", str(data), "-U", _USER, "--auth=trust", "--no-sync")
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={data} -c fsync=off"
    start = [str(programs / "pg_ctl"), "-D", str(data), "-w", "-l", str(data / "log"), "-o", options, "start"]
    # pg_ctl passes its own output on to the server, which would keep a pipe open.
    subprocess.run([*before, *start], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=data, check=True)
    try:
        yield port
    finally:
        run(str(programs / "pg_ctl"), "-D", str(data), "-m", "fast", "stop")


@contextmanager
def _serve_thrift(folder: Path, connection: tuple[str, str], *, user: str = "") -> Iterator[str]:
    """Start the metastore server over a database, and yield its address."""
    url, driver = connection
    settings = {
        "javax.jdo.option.ConnectionURL": url,
        "javax.jdo.option.ConnectionDriverName": driver,
        "javax.jdo.option.ConnectionUserName": user or "APP",
        "javax.jdo.option.ConnectionPassword": "mine",
        "hive.metastore.warehouse.dir": str(folder / "warehouse"),
        "hive.metastore.schema.verification": "false",
        "datanucleus.schema.autoCreateAll": "true",
        "hive.async.log.enabled": "false",
        # All tables of the database are made at the start. One that is made when it is first needed waits for the
        # transaction that needs it, for ever.
        "datanucleus.autoStartMechanism": "Classes",
        "datanucleus.autoStartClassNames": ",".join(_stored_classes()),
    }
    lines = [
        f"<property><name>{key}</name><value>{escape(value)}</value></property>" for key, value in settings.items()
    ]
    configuration = folder / "conf"
    configuration.mkdir()
    (configuration / "hive-site.xml").write_text(f"<configuration>{''.join(lines)}</configuration>")
    port, log = free_port(), folder / "metastore.log"
    class_path = os.pathsep.join([str(configuration), str(_jars() / "*"), str(_DRIVER)])
    main_class = "org.apache.hadoop.hive.metastore.HiveMetaStore"
    command = [str(find_java().home / "bin/java"), "-Xmx512m", "-cp", class_path, main_class, "-p", str(port)]
    with log.open("w") as written:
        server = subprocess.Popen(command, cwd=folder, stdout=written, stderr=subprocess.STDOUT)
    try:
        _wait_for(server, port, log)
        yield f"thrift://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def _jars() -> Path:
    return Path(pyspark.__file__).parent / "jars"


def _stored_classes() -> list[str]:
    """Return the names of the classes whose objects the metastore keeps in its database."""
    (jar,) = _jars().glob("hive-metastore-*.jar")
    with zipfile.ZipFile(jar) as files:
        description = ElementTree.fromstring(files.read("package.jdo"))
    return [
        f"{package.get('name')}.{found.get('name')}"
        for package in description.iter("package")
        for found in package.iter("class")
        if found.get("table")
    ]


def _wait_for(server: subprocess.Popen[bytes], port: int, log: Path) -> None:
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until and server.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    raise RuntimeError(f"The metastore server does not start:\n{log.read_text()[-3000:]}")
