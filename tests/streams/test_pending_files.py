"""The files that an unfinished batch reads again, in checkpoints as Spark writes them; no Spark runs."""

from __future__ import annotations

import json
from pathlib import Path

from tableapi.spark.streaming.pending_files import find_lost_file


def _write(path: Path, *entries: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(["v1", *[json.dumps(entry) for entry in entries]]))


def _entry(folder: Path, number: int) -> dict[str, object]:
    return {"path": f"file://{folder}/a%20file%20{number}.json", "timestamp": 0, "batchId": number}


def test_a_lost_file_of_a_batch(tmp_path: Path) -> None:
    checkpoint, drops = tmp_path / "checkpoint", tmp_path / "drops"
    drops.mkdir()
    for number in range(3):
        (drops / f"a file {number}.json").touch()
        _write(checkpoint / "sources" / "1" / str(number), _entry(drops, number))
    # The first source is no directory of files, and the second one reads two files in the second batch.
    _write(checkpoint / "offsets" / "0", {"batchWatermarkMs": 0}, 17, {"logOffset": 0})
    _write(checkpoint / "offsets" / "1", {"batchWatermarkMs": 0}, 21, {"logOffset": 2})
    assert find_lost_file(checkpoint, 1) is None
    (drops / "a file 0.json").unlink()
    assert find_lost_file(checkpoint, 1) is None
    assert find_lost_file(checkpoint, 0) == drops / "a file 0.json"
    (drops / "a file 2.json").unlink()
    assert find_lost_file(checkpoint, 1) == drops / "a file 2.json"


def test_a_compacted_log_repeats_earlier_entries(tmp_path: Path) -> None:
    _write(tmp_path / "sources" / "0" / "9.compact", *[_entry(tmp_path, number) for number in range(10)])
    _write(tmp_path / "offsets" / "8", {}, {"logOffset": 8})
    _write(tmp_path / "offsets" / "9", {}, {"logOffset": 9})
    (tmp_path / "a file 9.json").touch()
    assert find_lost_file(tmp_path, 9) is None
    (tmp_path / "a file 9.json").unlink()
    assert find_lost_file(tmp_path, 9) == tmp_path / "a file 9.json"


def test_what_cannot_be_read_is_left_to_spark(tmp_path: Path) -> None:
    assert find_lost_file(tmp_path, 0) is None
    _write(tmp_path / "offsets" / "0", {}, {"logOffset": 0})
    assert find_lost_file(tmp_path, 0) is None
    (tmp_path / "sources" / "0").mkdir(parents=True)
    (tmp_path / "sources" / "0" / "0").write_text('v1\n{"path": "hdfs://host/a.json", "batchId": 0}\n[1]\n{"path"')
    assert find_lost_file(tmp_path, 0) is None


def test_sources_with_names(tmp_path: Path) -> None:
    for number in range(2):
        _write(tmp_path / "sources" / "clicks" / str(number), _entry(tmp_path, number))
    (tmp_path / "a file 0.json").touch()
    (tmp_path / "offsets").mkdir()
    (tmp_path / "offsets" / "0").write_text('v2\n{}\nclicks:{"logOffset":0}\nrate:17')
    (tmp_path / "offsets" / "1").write_text('v2\n{}\nrate:21\nclicks:{"logOffset":1}')
    assert find_lost_file(tmp_path, 0) is None
    assert find_lost_file(tmp_path, 1) == tmp_path / "a file 1.json"
