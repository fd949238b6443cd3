"""Addresses of Spark Connect servers at which nothing listens."""

from __future__ import annotations

import socket

import pytest

from ir.errors import TableException
from tableapi.spark.reachability import require_listener


@pytest.fixture(autouse=True)
def _without_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("grpc_proxy", "https_proxy", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def test_a_port_without_a_server_is_refused_at_once() -> None:
    with socket.socket() as bound:
        # Bound, and not listening.
        bound.bind(("127.0.0.1", 0))
        port = bound.getsockname()[1]
        with pytest.raises(TableException, match=rf"No Spark Connect server answers at 127\.0\.0\.1, port {port}: "):
            require_listener(f"sc://127.0.0.1:{port}/;user_id=ada")


def test_a_listener_is_enough() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        require_listener(f"sc://127.0.0.1:{server.getsockname()[1]}")


def test_an_unknown_host_is_named() -> None:
    with pytest.raises(TableException, match=r"answers at no-such-host\.invalid, port 15002: "):
        require_listener("sc://no-such-host.invalid")


@pytest.mark.parametrize("address", ["http://127.0.0.1:1", "sc://", "sc://a b:x"])
def test_other_forms_are_left_to_pyspark(address: str) -> None:
    require_listener(address)


def test_a_proxy_may_reach_what_this_machine_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "http://proxy.invalid:3128")
    require_listener("sc://no-such-host.invalid")
