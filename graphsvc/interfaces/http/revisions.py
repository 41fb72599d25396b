"""A memory's revision as an entity tag: `ETag: "3"` on what is shown, `If-Match: "3"` on what may be changed.

Only one tag is taken, since a caller has read one revision; `*` says that any will do, as no header at all does.
"""

from __future__ import annotations

import re
from typing import Annotated

from litestar import Response
from litestar.datastructures import ResponseHeader
from litestar.params import HeaderParameter

from graphsvc.errors import FieldInvalid
from graphsvc.models.memory import Memory

HEADER = "If-Match"
IfMatch = Annotated[
    str | None,
    HeaderParameter(name=HEADER, description="the ETag of the revision that was read; `*`, or no header, is any"),
]
ETAG = ResponseHeader(name="ETag", documentation_only=True, description='the memory\'s revision, such as "3"')
# Revisions count from 1; more digits than these no counter reaches.
_TAG = re.compile(r'"([1-9][0-9]{0,17})"')


def tagged(memory: Memory) -> Response[Memory]:
    return Response(memory, headers={"ETag": f'"{memory.revision}"'})


def read_if_match(header: str | None) -> int | None:
    """The revision a caller read, None for any; raises `FieldInvalid` for what is no tag of ours."""
    if header is None or header.strip() == "*":
        return None
    tag = _TAG.fullmatch(header.strip())
    if tag is None:
        remedy = 'send one ETag as it was given, such as "3", or *'
        raise FieldInvalid("not the ETag of a revision", where=HEADER, remedy=remedy)
    return int(tag[1])
