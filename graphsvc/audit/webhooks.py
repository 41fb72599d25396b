"""Tell subscribers of overturned answers: signed, tried again until it arrives, and never lost with the process.

What is to be sent stands in the store's outbox, written with the records themselves. A notice is held under a lease
while it is sent; whoever holds it no more says nothing about it. A receiver knows a repeat by its delivery id.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import structlog

from graphsvc.errors import FieldInvalid, StoreError
from graphsvc.models.audit import NewSubscription
from graphsvc.remote.poster import Poster, is_private
from graphsvc.remote.server import ServerFailed
from graphsvc.store.falsified import Falsified, Parcel

SIGNATURE = "Graphsvc-Signature"
DELIVERY = "Graphsvc-Delivery"
GONE = 410
_MARGIN = timedelta(seconds=30)
_LONGEST_URL = 2000
_log = structlog.get_logger(__name__)

Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class Policy:
    """The n-th failure is followed by a wait of `first_s` * 2^(n-1), at most `longest_s`, times 0.5 to 1.5.

    After `attempts` failures a notice is dead. With the defaults that is about nine hours after the first.
    """

    attempts: int = 12
    first_s: float = 10.0
    longest_s: float = 21_600.0

    def retry_at(self, now: datetime, attempts: int, *, draw: float) -> datetime | None:
        """When to try again after so many attempts; `draw` in [0, 1) spreads them; None when it was the last."""
        if attempts >= self.attempts:
            return None
        wait = min(self.longest_s, self.first_s * 2.0 ** (attempts - 1))
        return now + timedelta(seconds=wait * (0.5 + draw))


def new_subscription(namespace: str, url: str, *, at: datetime, private: bool) -> NewSubscription:
    """A subscription with a secret of its own; raises `FieldInvalid` for an address that may not be told."""
    check_url(url, private=private)
    return NewSubscription(
        id=f"wh_{secrets.token_hex(8)}",
        namespace=namespace,
        url=url,
        created_at=at,
        secret=f"whsec_{secrets.token_urlsafe(32)}",
    )


def check_url(url: str, *, private: bool) -> None:
    """Raises `FieldInvalid` unless it is http or https to a named host, without a password in it."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise FieldInvalid("is no address", where="url") from None
    plain = url.isascii() and url.isprintable() and " " not in url and len(url) <= _LONGEST_URL
    if parts.scheme not in {"http", "https"} or not host or port == 0 or not plain:
        raise FieldInvalid("must be an http:// or https:// address", where="url")
    if parts.username is not None or parts.password is not None:
        raise FieldInvalid("holds a user or password", where="url", remedy="deliveries are signed; leave it out")
    if not private and is_private(host):
        remedy = "GRAPHSVC_WEBHOOK_PRIVATE=true allows addresses of this machine and of private networks"
        raise FieldInvalid("is an address of this machine or of a private network", where="url", remedy=remedy)


def signature(secret: str, body: bytes, at: datetime) -> str:
    """`t=<seconds since 1970>,v1=<hex HMAC-SHA256 of "t.body">`."""
    stamp = str(int(at.timestamp()))
    digest = hmac.new(secret.encode(), stamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    return f"t={stamp},v1={digest}"


def verified(secret: str, body: bytes, header: str, *, now: datetime, tolerance_s: float = 300.0) -> bool:
    """Whether a body bears our signature, made within `tolerance_s`: what a receiver does."""
    parts = dict(part.partition("=")[::2] for part in header.split(","))
    stamp = parts.get("t", "")
    if not (stamp.isascii() and stamp.isdecimal() and len(stamp) < 12):
        return False
    made = hmac.new(secret.encode(), stamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    fresh = abs(now.timestamp() - int(stamp)) <= tolerance_s
    return fresh and hmac.compare_digest(made.encode(), parts.get("v1", "").encode())


def deliver_due(
    outbox: Falsified,
    poster: Poster,
    *,
    clock: Clock,
    draw: Callable[[], float],
    policy: Policy | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> int:
    """Send every notice that is due, one after another, until stopped; how many were tried."""
    tried = 0
    hold = timedelta(seconds=poster.timeout_s) + _MARGIN
    while not stopped() and (parcel := outbox.take(now := clock(), until=now + hold)) is not None:
        status = _send(poster, parcel, clock())
        retry_at = None if status == GONE else (policy or Policy()).retry_at(clock(), parcel.attempts, draw=draw())
        _settle(outbox, parcel, status, retry_at)
        tried += 1
    return tried


def _settle(outbox: Falsified, parcel: Parcel, status: int, retry_at: datetime | None) -> None:
    if 200 <= status < 300:
        outbox.done(parcel, status=status)
        _log.info("notice_delivered", delivery=parcel.id, status=status)
        return
    outbox.failed(parcel, status=status, retry_at=retry_at)
    _log.warning("notice_failed", delivery=parcel.id, status=status, attempts=parcel.attempts, dead=retry_at is None)


def _send(poster: Poster, parcel: Parcel, at: datetime) -> int:
    """The status, 0 where no answer came."""
    body = parcel.body.encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "graphsvc",
        DELIVERY: parcel.id,
        SIGNATURE: signature(parcel.secret, body, at),
    }
    try:
        return poster.post(parcel.url, body, headers)
    except ServerFailed:
        return 0


class Courier:
    """A thread that delivers what is due: at once when woken, else when the next is due, at most `poll_s` late.

    Another process may put something into the outbox, hence the polling.
    """

    def __init__(
        self,
        outbox: Falsified,
        poster: Poster,
        *,
        clock: Clock,
        draw: Callable[[], float],
        policy: Policy | None = None,
        poll_s: float = 5.0,
    ) -> None:
        self._outbox = outbox
        self._poster = poster
        self._clock = clock
        self._draw = draw
        self._policy = policy
        self._poll_s = poll_s
        self._woken = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="courier", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def wake(self) -> None:
        """Look into the outbox now."""
        self._woken.set()

    def stop(self) -> None:
        """End after the notice under way, at most its time limit later, and close the connections."""
        self._stopping.set()
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join(self._poster.timeout_s + 1.0)
        self._poster.close()

    def _run(self) -> None:
        while not self._stopping.is_set():
            wait_s = self._poll_s
            try:
                deliver_due(
                    self._outbox,
                    self._poster,
                    clock=self._clock,
                    draw=self._draw,
                    policy=self._policy,
                    stopped=self._stopping.is_set,
                )
                wait_s = self._until_next()
            except StoreError as error:
                # A busy or closed store holds what is due; it is taken up at the next look.
                _log.warning("outbox_unreachable", code=error.code)
            self._woken.wait(wait_s)
            self._woken.clear()

    def _until_next(self) -> float:
        due = self._outbox.next_due()
        return self._poll_s if due is None else min(self._poll_s, max(0.05, (due - self._clock()).total_seconds()))
