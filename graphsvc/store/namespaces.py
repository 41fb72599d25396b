"""What a namespace may be called, checked in one place for every class whose methods take one."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from graphsvc.errors import FieldInvalid

LONGEST = 200
_NAME = "namespace"
Class = TypeVar("Class", bound=type)


def check_namespace(name: object) -> None:
    """Raises `FieldInvalid` unless it is 1 to 200 characters of text, without NUL and lone surrogates."""
    wrong = None
    if not isinstance(name, str):
        wrong = f"a text was expected, not {type(name).__name__}"
    elif not 1 <= len(name) <= LONGEST:
        wrong = f"has {len(name)} characters, 1 to {LONGEST} are allowed"
    elif "\x00" in name:
        wrong = "holds a NUL character"
    elif any("\ud800" <= char <= "\udfff" for char in name):
        wrong = "holds a lone surrogate"
    if wrong is not None:
        raise FieldInvalid(wrong, where=_NAME, remedy="give another name")


def checks_namespace(cls: Class) -> Class:
    """Have every public method of a class check its argument `namespace` before all else; None where it may be."""
    for name, method in list(vars(cls).items()):
        if inspect.isfunction(method) and not name.startswith("_"):
            parameters = inspect.signature(method).parameters
            if _NAME in parameters:
                setattr(cls, name, _checking(method, list(parameters).index(_NAME)))
    return cls


def _checking(method: Callable[..., Any], place: int) -> Callable[..., Any]:
    parameter = inspect.signature(method).parameters[_NAME]
    optional = "None" in str(parameter.annotation)

    @functools.wraps(method)
    def checked(*args: Any, **kwargs: Any) -> Any:
        named = place < len(args) or _NAME in kwargs
        given = args[place] if place < len(args) else kwargs.get(_NAME)
        if named and not (given is None and optional):
            check_namespace(given)
        return method(*args, **kwargs)

    return checked
