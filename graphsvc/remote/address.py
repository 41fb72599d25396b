"""The address of one service of a server, however short it was given.

User, password, query and fragment are dropped: an address is shown in logs and errors.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from graphsvc.errors import SettingsInvalid


def service_address(url: str, tail: str, *, setting: str, base: str = "/v1") -> str:
    """`tail` put behind a server given by host, by its base path, or in full; `base` stands in for no path.

    Raises `SettingsInvalid` naming the setting.
    """
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        raise SettingsInvalid("is no address", where=setting) from None
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise SettingsInvalid("must begin with http:// or https://", where=setting)
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    path = parts.path.rstrip("/") or base
    return f"{parts.scheme}://{host}{port}{path if path.endswith(tail) else path + tail}"
