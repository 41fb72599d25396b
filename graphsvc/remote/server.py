"""Post JSON to one address and get the bytes of the answer, or the plain reason why not.

One time limit covers everything: name look-up, connection, headers, body, second attempt. A server that keeps
failing is left alone for a while. The key goes into one header and nowhere else, and a server's own words are
never shown: some repeat the key, or the text they were sent.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import StrEnum
from typing import Protocol

import httpx

from graphsvc.remote.deadline import Deadline, OutOfTime

MOST_BYTES = 100_000
FIRST_PAUSE_S = 0.05
_RETRIED = frozenset({408, 425, 429, 500, 502, 503, 504})


class Breaker(Protocol):
    """Leaves a failing server alone: see `graphsvc.encoding.breaker.CircuitBreaker`."""

    def wait_s(self) -> float: ...

    def succeeded(self) -> None: ...

    def failed(self) -> None: ...


class Failure(StrEnum):
    """Why a server gave no answer."""

    RESTING = "resting"
    UNREACHABLE = "unreachable"
    TOO_SLOW = "too_slow"
    TOO_LONG = "too_long"
    REFUSED = "refused"


class ServerFailed(Exception):
    """No answer came from `where`; `status` is the HTTP status, 0 where none came."""

    def __init__(self, failure: Failure, where: str, *, status: int = 0) -> None:
        super().__init__(f"{where}: {failure.value}{f' ({status})' if status else ''}")
        self.failure = failure
        self.where = where
        self.status = status


class JsonServer:
    """Thread-safe. `timeout_s` bounds a call whole; `attempts` are made within it.

    The caller reports to the breaker what it thinks of a body: `succeeded` or `failed`. What fails here is reported
    here, save for a request the server will not take (4xx), which is the caller's to mend.
    """

    def __init__(
        self,
        url: str,
        key: str = "",
        *,
        breaker: Breaker,
        timeout_s: float,
        attempts: int = 1,
        most_bytes: int = MOST_BYTES,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.url = url
        self.breaker = breaker
        self._deadline = Deadline(timeout_s)
        self._attempts = attempts
        self._most_bytes = most_bytes
        self._sleep = sleep
        # Packed bytes could unpack to any size before they are counted.
        headers = {"Accept-Encoding": "identity"} | ({"Authorization": f"Bearer {key}"} if key else {})
        self._client = httpx.Client(timeout=timeout_s, headers=headers)

    def post(self, payload: dict[str, object], *, mended: bool = False) -> bytes:
        """The body of the answer; raises `ServerFailed`.

        A `mended` request follows one that the server did answer, with 4xx, and asks the breaker for no leave: the
        first caller after a rest gets leave only once.
        """
        if not mended and self.breaker.wait_s():
            raise ServerFailed(Failure.RESTING, self.url)
        try:
            return self._deadline.run(lambda: self._attempt(payload))
        except OutOfTime:
            failed = ServerFailed(Failure.TOO_SLOW, self.url)
        except ServerFailed as error:
            failed = error
        if failed.failure is not Failure.REFUSED:
            self.breaker.failed()
        raise failed

    def close(self) -> None:
        """Close the connections."""
        self._deadline.close()
        self._client.close()

    def _attempt(self, payload: dict[str, object]) -> bytes:
        until = time.monotonic() + self._deadline.limit_s
        for attempt in range(self._attempts - 1):
            pause = FIRST_PAUSE_S * 2**attempt
            try:
                return self._once(payload, until)
            except ServerFailed as error:
                if not _worth_retrying(error) or time.monotonic() + pause >= until:
                    raise
            self._sleep(pause)
        return self._once(payload, until)

    def _once(self, payload: dict[str, object], until: float) -> bytes:
        body = bytearray()
        left = max(0.001, until - time.monotonic())
        try:
            with self._client.stream("POST", self.url, json=payload, timeout=left) as response:
                if not response.is_success:
                    raise self._status(response.status_code)
                for part in response.iter_raw():
                    body += part
                    if len(body) > self._most_bytes:
                        raise ServerFailed(Failure.TOO_LONG, self.url)
                    if time.monotonic() > until:
                        raise ServerFailed(Failure.TOO_SLOW, self.url)
        except httpx.TimeoutException:
            raise ServerFailed(Failure.TOO_SLOW, self.url) from None
        except (httpx.HTTPError, httpx.InvalidURL):
            raise ServerFailed(Failure.UNREACHABLE, self.url) from None
        return bytes(body)

    def _status(self, status: int) -> ServerFailed:
        mendable = 400 <= status < 500 and status not in _RETRIED and status not in {401, 403}
        return ServerFailed(Failure.REFUSED if mendable else Failure.UNREACHABLE, self.url, status=status)


def _worth_retrying(error: ServerFailed) -> bool:
    return error.failure is Failure.UNREACHABLE and (not error.status or error.status in _RETRIED)
