"""Which process of a run takes which file of tests.

A process whose tests ask Spark waits a third of its time: for jobs, and for streams and workers to start. So one more
process than there are cores runs beside these. It takes only files without a JVM, since another Spark would have to
start and to warm up, which takes longer than what is gained.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

try:
    from xdist.scheduler import LoadFileScheduling
except ImportError:
    # The environments of other engines run their few files in one process, and have no xdist.
    LoadFileScheduling = object

if TYPE_CHECKING:
    import pytest
    from xdist.remote import Producer
    from xdist.workermanage import WorkerController

ASKING = "files that use a JVM"
"""The key of a process's input with the path of the list that the first process writes."""


def write_asking(path: str, files: Iterable[str]) -> None:
    """Write which files of tests use a JVM."""
    Path(path).write_text(json.dumps(sorted(files)), encoding="utf-8")


class Scheduling(LoadFileScheduling):
    """Give each file to one process, and files that use a JVM to all processes but the last.

    Args:
        config: the configuration of the run.
        log: where xdist logs.
        asking: the path of the list that ``write_asking`` writes.
    """

    def __init__(self, config: pytest.Config, log: Producer | None, asking: Path) -> None:
        super().__init__(config, log)
        self._path = asking
        self._asking: frozenset[str] = frozenset()
        self._last: WorkerController | None = None
        self._is_alone = False

    def schedule(self) -> None:
        if self.collection is None:
            self._asking = frozenset(json.loads(self._path.read_text(encoding="utf-8")))
        super().schedule()

    def _assign_work_unit(self, node: WorkerController) -> None:
        if self._last is None:
            # By now, xdist has ended processes for which there is no file.
            self._last = self.nodes[-1]
            self._is_alone = len(self.nodes) == 1
        file = self._file_for(node)
        if file is None:
            node.shutdown()
            return
        self.workqueue.move_to_end(file, last=False)
        super()._assign_work_unit(node)

    def _file_for(self, node: WorkerController) -> str | None:
        """Return the next file for a process; None if there is none for the last one, which then ends."""
        if self._is_alone:
            return next(iter(self.workqueue))
        if node is self._last:
            return next((file for file in self.workqueue if file not in self._asking), None)
        return next((file for file in self.workqueue if file in self._asking), next(iter(self.workqueue)))
