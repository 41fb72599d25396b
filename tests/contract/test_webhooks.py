"""Notices of overturned answers reach a real server: signed, tried again, never twice, kept over a restart."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from graphsvc.audit.falsify import Fall, Falsifier
from graphsvc.audit.webhooks import Courier, Policy, check_url, deliver_due, new_subscription, verified
from graphsvc.errors import FieldInvalid
from graphsvc.models.audit import DeliveryState, NewSubscription
from graphsvc.models.base import MemoryId
from graphsvc.remote.poster import Poster
from graphsvc.store.sqlite.store import SqliteStore
from tests.builders import NOW, entry, ids, trace
from tests.contract.serving import serving

POLICY = Policy(attempts=3, first_s=10.0)


@dataclass(slots=True)
class Receiver:
    """Answers with the statuses in turn, then with 200, and keeps what came."""

    statuses: list[int] = field(default_factory=list)
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    arrived: threading.Event = field(default_factory=threading.Event)

    def __call__(self, request: BaseHTTPRequestHandler) -> None:
        body = request.rfile.read(int(request.headers["Content-Length"]))
        self.got.append((dict(request.headers), body))
        request.send_response(self.statuses.pop(0) if self.statuses else 200)
        request.send_header("Location", "/elsewhere")
        request.send_header("Content-Length", "0")
        request.end_headers()
        self.arrived.set()


@dataclass(slots=True)
class Clock:
    now: datetime = NOW

    def __call__(self) -> datetime:
        return self.now

    def later(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def poster() -> Iterator[Poster]:
    with opened(private=True) as poster:
        yield poster


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(tmp_path / "store")
    yield store
    store.close()


@contextmanager
def opened(*, private: bool) -> Iterator[Poster]:
    poster = Poster(timeout_s=5.0, private=private)
    yield poster
    poster.close()


def subscribed(store: SqliteStore, url: str) -> NewSubscription:
    subscription = new_subscription("default", f"{url}/hook?team=a", at=NOW, private=True)
    store.falsified.subscribe(subscription)
    return subscription


def overturn(store: SqliteStore, *trace_ids: str) -> None:
    """An answer for each id, and all of them fallen."""
    store.put([entry("m1")])
    for one in trace_ids:
        store.traces.save(trace(one).model_copy(update={"accepted": tuple(ids("m1"))}))
    fall = Fall(MemoryId("m1"), NOW, f"because of {trace_ids}")
    Falsifier(store, lambda: NOW).fell("default", [fall])


def states(store: SqliteStore) -> list[DeliveryState]:
    return [one.state for one in store.falsified.deliveries("default")]


def deliver(store: SqliteStore, poster: Poster, clock: Clock) -> int:
    return deliver_due(store.falsified, poster, clock=clock, draw=lambda: 0.5, policy=POLICY)


def test_a_notice_arrives_signed_and_says_what_fell(store: SqliteStore, poster: Poster, clock: Clock) -> None:
    receiver = Receiver()
    with serving(receiver) as url:
        subscription = subscribed(store, url)
        overturn(store, "t1")
        assert deliver(store, poster, clock) == 1
    ((headers, body),) = receiver.got
    assert verified(subscription.secret, body, headers["Graphsvc-Signature"], now=NOW)
    assert not verified(subscription.secret, body + b" ", headers["Graphsvc-Signature"], now=NOW)
    assert not verified("another", body, headers["Graphsvc-Signature"], now=NOW)
    assert not verified(subscription.secret, body, headers["Graphsvc-Signature"], now=NOW + timedelta(hours=1))
    told = json.loads(body)
    assert (told["id"], told["type"]) == (headers["Graphsvc-Delivery"], "answer.overturned")
    assert (told["answer"]["trace_id"], told["answer"]["because"]) == ("t1", ["m1"])
    (kept,) = store.falsified.deliveries("default", state=DeliveryState.DONE)
    assert (kept.id, kept.status, kept.attempts) == (told["id"], 200, 1)


def test_what_fails_is_tried_again_later_under_the_same_id_and_never_after_it_arrived(
    store: SqliteStore, poster: Poster, clock: Clock
) -> None:
    receiver = Receiver([500])
    with serving(receiver) as url:
        subscribed(store, url)
        overturn(store, "t1")
        assert (deliver(store, poster, clock), deliver(store, poster, clock)) == (1, 0)
        clock.later(10.1)
        assert (deliver(store, poster, clock), deliver(store, poster, clock)) == (1, 0)
        clock.later(100_000)
        assert deliver(store, poster, clock) == 0
    first, second = (headers["Graphsvc-Delivery"] for headers, _ in receiver.got)
    assert first == second
    assert states(store) == [DeliveryState.DONE]


@pytest.mark.parametrize(("statuses", "tries"), [([500, 404, 302], 3), ([410], 1)])
def test_a_notice_is_dead_after_the_last_try_or_when_it_is_not_wanted(
    store: SqliteStore, poster: Poster, clock: Clock, statuses: list[int], tries: int
) -> None:
    receiver = Receiver(list(statuses))
    with serving(receiver) as url:
        subscribed(store, url)
        overturn(store, "t1")
        for _ in range(4):
            deliver(store, poster, clock)
            clock.later(1_000)
    assert len(receiver.got) == tries
    (dead,) = store.falsified.deliveries("default")
    assert (dead.state, dead.status, dead.attempts) == (DeliveryState.DEAD, statuses[-1], tries)


def test_one_who_does_not_answer_is_not_asked_for_each_notice_in_turn(
    store: SqliteStore, poster: Poster, clock: Clock
) -> None:
    receiver = Receiver([503])
    with serving(receiver) as url:
        subscribed(store, url)
        overturn(store, "t1", "t2", "t3")
        assert deliver(store, poster, clock) == 1
        clock.later(11)
        assert deliver(store, poster, clock) == 3
    assert states(store) == [DeliveryState.DONE] * 3


def test_what_is_held_by_one_is_taken_by_no_other_until_its_lease_is_over(store: SqliteStore) -> None:
    subscribed(store, "http://hook.example")
    overturn(store, "t1")
    outbox, until = store.falsified, NOW + timedelta(seconds=40)
    held = outbox.take(NOW, until=until)
    assert held is not None
    assert outbox.take(NOW + timedelta(seconds=39), until=until) is None
    again = outbox.take(until, until=until + timedelta(seconds=40))
    assert again is not None
    assert (again.id, again.attempts) == (held.id, 2)
    assert outbox.done(held, status=200) is False
    assert outbox.done(again, status=200) is True


def test_a_restart_in_between_delivers(tmp_path: Path, poster: Poster, clock: Clock) -> None:
    receiver = Receiver([500])
    with serving(receiver) as url:
        first = SqliteStore(tmp_path / "store")
        subscribed(first, url)
        overturn(first, "t1")
        deliver(first, poster, clock)
        first.close()
        clock.later(60)
        second = SqliteStore(tmp_path / "store")
        assert deliver(second, poster, clock) == 1
        assert states(second) == [DeliveryState.DONE]
        second.close()


def test_a_courier_delivers_when_woken_and_stops(store: SqliteStore, clock: Clock) -> None:
    receiver = Receiver()
    with serving(receiver) as url:
        subscribed(store, url)
        poster = Poster(timeout_s=5.0, private=True)
        courier = Courier(store.falsified, poster, clock=clock, draw=lambda: 0.5, poll_s=60.0)
        courier.start()
        overturn(store, "t1")
        courier.wake()
        assert receiver.arrived.wait(5.0)
        assert soon(lambda: states(store) == [DeliveryState.DONE])
        courier.stop()
    assert not any(one.name == "courier" for one in threading.enumerate())


def soon(holds: Callable[[], bool]) -> bool:
    until = time.monotonic() + 5.0
    while not holds():
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True


def test_a_name_that_means_a_private_address_is_not_spoken_to(store: SqliteStore, clock: Clock) -> None:
    receiver = Receiver()
    with serving(receiver) as url, opened(private=False) as careful:
        subscribed(store, url.replace("127.0.0.1", "localhost"))
        overturn(store, "t1")
        deliver(store, careful, clock)
    assert receiver.got == []
    assert states(store) == [DeliveryState.WAITING]


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8000/hook",
        "http://localhost/hook",
        "http://10.1.2.3/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://169.254.169.254/latest",
        "ftp://hook.example/",
        "hook.example",
        "http://",
        "http://user:word@hook.example/",
        "http://hook.example/a b",
        "http://hook.example:99999/",
    ],
)
def test_an_address_that_may_not_be_told_is_refused(url: str) -> None:
    with pytest.raises(FieldInvalid) as caught:
        check_url(url, private=False)
    assert caught.value.where == "url"


def test_a_secret_is_shown_once_and_an_unsubscribed_one_is_told_nothing(
    store: SqliteStore, poster: Poster, clock: Clock
) -> None:
    receiver = Receiver()
    with serving(receiver) as url:
        subscription = subscribed(store, url)
        overturn(store, "t1")
        (listed,) = store.falsified.subscriptions("default")
        assert subscription.secret not in listed.model_dump_json()
        assert store.falsified.unsubscribe("elsewhere", subscription.id) is False
        assert store.falsified.unsubscribe("default", subscription.id) is True
        assert deliver(store, poster, clock) == 0
    assert (receiver.got, store.falsified.deliveries("default")) == ([], [])


def test_waits_double_up_to_a_limit_and_are_spread() -> None:
    policy = Policy(attempts=9, first_s=10.0, longest_s=60.0)
    waits = [policy.retry_at(NOW, n, draw=0.5) for n in range(1, 5)]
    assert waits == [NOW + timedelta(seconds=seconds) for seconds in (10, 20, 40, 60)]
    assert policy.retry_at(NOW, 1, draw=0.0) == NOW + timedelta(seconds=5)
    assert policy.retry_at(NOW, 9, draw=0.5) is None
