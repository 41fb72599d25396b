"""Post the very bytes one has signed to an address somebody else chose, and get the status.

No redirect is followed and nothing of the answer is read. Unless it is allowed, no private address is spoken to: the
name is looked up once, every address it has is checked, and the connection goes to one of those, so that a name that
means another address a moment later gains nothing.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit

import httpx

from graphsvc.remote.deadline import Deadline, OutOfTime
from graphsvc.remote.server import Failure, ServerFailed

_PORTS = {"http": 80, "https": 443}
# One courier posts one notice at a time; a few more may hang on a name look-up that was given up.
_MOST_RUNNING = 8


class Poster:
    """Thread-safe. `timeout_s` bounds a post whole; `private` allows loopback and private addresses."""

    def __init__(self, *, timeout_s: float, private: bool) -> None:
        self.timeout_s = timeout_s
        self._private = private
        self._deadline = Deadline(timeout_s, most_running=_MOST_RUNNING)
        # No proxy out of the environment: it would look the name up again.
        self._client = httpx.Client(timeout=timeout_s, follow_redirects=False, trust_env=False)

    def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        """The status of the answer, whatever it is; raises `ServerFailed` where none came."""
        try:
            return self._deadline.run(lambda: self._post(url, body, headers))
        except OutOfTime:
            raise ServerFailed(Failure.TOO_SLOW, shown(url)) from None

    def close(self) -> None:
        """Close the connections."""
        self._deadline.close()
        self._client.close()

    def _post(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        try:
            target = httpx.URL(url)
        except httpx.InvalidURL:
            raise ServerFailed(Failure.UNREACHABLE, shown(url)) from None
        address = self._address(target)
        request = self._client.build_request(
            "POST",
            target.copy_with(host=address),
            content=body,
            headers={"Host": target.netloc.decode("ascii"), **headers},
            extensions={"sni_hostname": target.host},
        )
        try:
            response = self._client.send(request, stream=True)
        except httpx.TimeoutException:
            raise ServerFailed(Failure.TOO_SLOW, shown(url)) from None
        except httpx.HTTPError:
            raise ServerFailed(Failure.UNREACHABLE, shown(url)) from None
        response.close()
        return response.status_code

    def _address(self, target: httpx.URL) -> str:
        """One of the addresses of the target's host."""
        try:
            found = socket.getaddrinfo(target.host, target.port or _PORTS[target.scheme], type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):  # a label of a name may be too long to encode
            raise ServerFailed(Failure.UNREACHABLE, shown(str(target))) from None
        addresses = [str(one[4][0]) for one in found]
        if not self._private and any(is_private(one) for one in addresses):
            raise ServerFailed(Failure.REFUSED, shown(str(target)))
        return addresses[0]


def is_private(host: str) -> bool:
    """Whether a host, written as an address, is one the open network does not reach; a name never is."""
    try:
        address: IPv4Address | IPv6Address = ip_address(host.partition("%")[0].strip("[]"))
    except ValueError:
        return host.casefold().rstrip(".") == "localhost"
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return not address.is_global or address.is_multicast


def shown(url: str) -> str:
    """An address as it may be logged: without user, password, path or query."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.hostname or ''}"
