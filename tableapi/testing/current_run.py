"""The run of pytest to which assertions belong, which are plain functions and get no fixtures."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

# A run within a run has the last one, as in tests of plugins.
_configs: list[pytest.Config] = []


def begin_run(config: pytest.Config) -> None:
    """Record that a run has begun."""
    _configs.append(config)


def end_run(config: pytest.Config) -> None:
    """Forget a run that has ended."""
    if config in _configs:
        _configs.remove(config)


def current_config() -> pytest.Config | None:
    """Return the configuration of the current run, None outside of pytest."""
    return _configs[-1] if _configs else None
