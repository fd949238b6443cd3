"""Which process of a run takes which file of tests."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.scheduling import Scheduling, write_asking


class Node:
    """A process as the scheduler sees it: it runs what it is sent at once."""

    def __init__(self, name: str) -> None:
        self.gateway = SimpleNamespace(id=name)
        self.shutting_down = False
        self.sent: list[int] = []

    def send_runtest_some(self, indices: list[int]) -> None:
        self.sent += indices

    def shutdown(self) -> None:
        self.shutting_down = True


def run(tmp_path: Path, files: dict[str, int], asking: set[str], processes: int) -> dict[str, list[str]]:
    """Distribute files with numbers of tests; return the files that each process ran, in order."""
    write_asking(str(tmp_path / "asking.json"), asking)
    config: Any = SimpleNamespace(
        getvalue=lambda name: ["popen"] * processes, option=SimpleNamespace(loadscopereorder=False)
    )
    scheduling = Scheduling(config, None, tmp_path / "asking.json")
    tests = [f"{file}::test_{number}" for file, count in files.items() for number in range(count)]
    nodes: list[Any] = [Node(f"gw{number}") for number in range(processes)]
    for node in nodes:
        scheduling.add_node(node)
        scheduling.add_node_collection(node, tests)
    scheduling.schedule()
    done = dict.fromkeys(nodes, 0)
    while any(done[node] < len(node.sent) for node in nodes):
        for node in nodes:
            if done[node] < len(node.sent):
                done[node] += 1
                scheduling.mark_test_complete(node, node.sent[done[node] - 1])
    assert sorted(index for node in nodes for index in node.sent) == list(range(len(tests)))
    assert all(node.shutting_down for node in nodes if node.sent)
    return {node.gateway.id: list(dict.fromkeys(tests[i].split("::")[0] for i in node.sent)) for node in nodes}


FILES = {f"tests/{name}.py": 4 for name in ("ask_a", "a", "ask_b", "b", "ask_c", "c", "ask_d")}
ASKING = {file for file in FILES if "ask" in file}


def test_the_last_process_takes_no_file_that_uses_a_jvm(tmp_path: Path) -> None:
    found = run(tmp_path, FILES, ASKING, 3)
    assert found["gw2"][:2] == ["tests/a.py", "tests/b.py"]
    assert ASKING.isdisjoint(found["gw2"])
    # The others take what is left once no file that uses a JVM is.
    assert found["gw0"][:2] == ["tests/ask_a.py", "tests/ask_c.py"]


def test_the_others_help_it(tmp_path: Path) -> None:
    files = {f"tests/{number}.py": 3 for number in range(9)} | {"tests/ask.py": 3}
    found = run(tmp_path, files, {"tests/ask.py"}, 3)
    assert found["gw0"][0] == "tests/ask.py"
    assert all(len(ran) > 1 for ran in found.values())


@pytest.mark.parametrize("asking", [set(), ASKING, {*FILES}], ids=["none asks", "some ask", "all ask"])
@pytest.mark.parametrize("processes", [1, 2, 3, 9])
def test_every_test_runs_once(tmp_path: Path, asking: set[str], processes: int) -> None:
    run(tmp_path, FILES, asking, processes)
