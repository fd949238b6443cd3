"""Workers need nothing of this library: all modules of the runtime travel with a call."""

from __future__ import annotations

import pkgutil
import subprocess
import sys

from pyspark.cloudpickle import list_registry_pickle_by_value

from tableapi.spark.process_functions import pickle_value
from tableapi.spark.python_functions import pickle_user_code_by_value
from tableapi.spark.runtime import process
from tableapi.spark.runtime.process import initial_states, ordered_running, state_rows, stream_processor
from tests.process_functions import scripted

# A finder that comes first stands for a worker that lacks the library.
_LOAD = """
import pickle, sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("tableapi", "ir", "serializer", "grammar", "tests"):
            raise ModuleNotFoundError(f"No module named {name!r}")

sys.meta_path.insert(0, Missing())
print(len(pickle.load(sys.stdin.buffer)))
"""


def test_calls_and_states_of_streams_are_loaded_without_the_library() -> None:
    sent = [
        ordered_running.OrderedStreamRunning,
        stream_processor.TimedStreamProcessor,
        state_rows.read_states,
        initial_states.convert_initial,
        scripted.ScriptedLate(),
    ]
    with pickle_user_code_by_value():
        pickled = pickle_value(sent)
    done = subprocess.run([sys.executable, "-c", _LOAD], input=pickled, capture_output=True, check=False)
    assert (done.stdout.decode().strip(), done.stderr.decode()) == (str(len(sent)), "")


def test_every_module_of_the_runtime_travels() -> None:
    with pickle_user_code_by_value():
        travelling = list_registry_pickle_by_value()
    assert {f"{process.__name__}.{module.name}" for module in pkgutil.iter_modules(process.__path__)} <= travelling
