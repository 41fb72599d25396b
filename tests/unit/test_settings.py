"""The environment becomes one record, and a misspelt or malformed variable never passes in silence."""

from __future__ import annotations

from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from pydantic import ValidationError

from graphsvc.errors import SettingsInvalid
from graphsvc.settings import PREFIX, Settings


def test_an_empty_environment_gives_the_defaults() -> None:
    settings = Settings.from_environment({"HOME": "/home/mei", "graphsvc_port": "1"})
    assert settings == Settings()
    assert settings.store == "sqlite:///.graphsvc"
    assert (settings.encoder, settings.namespace, settings.timezone) == ("bundled", "default", "UTC")
    assert (settings.host, settings.port) == ("127.0.0.1", 8321)
    assert settings.max_text_chars == 20_000
    assert settings.ontology is None


def test_every_variable_is_read_as_its_own_type() -> None:
    settings = Settings.from_environment(
        {
            "GRAPHSVC_STORE": "sqlite:////srv/memories",
            "GRAPHSVC_ENCODER": "hashing",
            "GRAPHSVC_NAMESPACE": "north",
            "GRAPHSVC_TIMEZONE": "Asia/Shanghai",
            "GRAPHSVC_PORT": "9000",
            "GRAPHSVC_MAX_TEXT_CHARS": "500",
            "GRAPHSVC_CACHE_DIR": "/srv/cache",
            "GRAPHSVC_ONTOLOGY": "/srv/ontology",
            "GRAPHSVC_LOG_LEVEL": "warning",
        }
    )
    assert (settings.store, settings.encoder, settings.namespace) == ("sqlite:////srv/memories", "hashing", "north")
    assert settings.zone == ZoneInfo("Asia/Shanghai")
    assert (settings.port, settings.max_text_chars) == (9000, 500)
    assert (settings.cache_dir, settings.ontology) == (Path("/srv/cache"), Path("/srv/ontology"))
    assert settings.log_level == "warning"


@pytest.mark.parametrize("name", ["GRAPHSVC_STOR", "GRAPHSVC_", "GRAPHSVC_PORT_"])
def test_an_unknown_variable_is_named_and_the_known_ones_are_told(name: str) -> None:
    with pytest.raises(SettingsInvalid) as caught:
        Settings.from_environment({name: "x"})
    assert caught.value.where == name
    assert caught.value.what == "is not a setting of graphsvc"
    told = caught.value.remedy.removeprefix("known: ").split(", ")
    assert told == [PREFIX + field.upper() for field in Settings.model_fields]


@pytest.mark.parametrize("zone", ["Asia/Atlantis", "", "../etc/passwd", "+08:00"])
def test_a_zone_nobody_knows_is_an_error(zone: str) -> None:
    with pytest.raises(SettingsInvalid) as caught:
        Settings.from_environment({"GRAPHSVC_TIMEZONE": zone})
    assert caught.value.where == "GRAPHSVC_TIMEZONE"
    assert caught.value.what == f"{zone!r} is not an IANA time zone"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GRAPHSVC_PORT", "http"),
        ("GRAPHSVC_PORT", "65536"),
        ("GRAPHSVC_PORT", "-1"),
        ("GRAPHSVC_ENCODER", "magic"),
        ("GRAPHSVC_MAX_TEXT_CHARS", "99"),
        ("GRAPHSVC_MAX_TEXT_CHARS", "1e9"),
        ("GRAPHSVC_NAMESPACE", ""),
        ("GRAPHSVC_LOG_LEVEL", "loud"),
    ],
)
def test_a_malformed_value_is_an_error_that_names_its_variable(name: str, value: str) -> None:
    with pytest.raises(SettingsInvalid) as caught:
        Settings.from_environment({name: value})
    assert (caught.value.where, caught.value.remedy) == (name, "")
    assert caught.value.what


def test_a_key_is_never_printed() -> None:
    settings = Settings.from_environment({"GRAPHSVC_OPENAI_KEY": "sk-swordfish"})
    assert settings.openai_key.get_secret_value() == "sk-swordfish"
    assert "swordfish" not in repr(settings) + str(settings) + settings.model_dump_json()


def test_settings_do_not_change_once_read() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Settings().port = 1  # type: ignore[misc]  # that is the point


def test_an_empty_path_of_the_library_is_no_library_of_ones_own() -> None:
    assert Settings.from_environment({"GRAPHSVC_ONTOLOGY": ""}).ontology is None


def test_a_plain_folder_is_the_embedded_store_in_it() -> None:
    assert Settings.from_environment({"GRAPHSVC_STORE": "notes/mine"}).store == "sqlite:///notes/mine"
    assert Settings.from_environment({"GRAPHSVC_STORE": "sqlite:///notes"}).store == "sqlite:///notes"


def test_an_empty_ontology_is_none_and_a_home_folder_may_be_written_short() -> None:
    assert Settings.from_environment({"GRAPHSVC_ONTOLOGY": ""}).ontology is None
    assert Settings.from_environment({"GRAPHSVC_ONTOLOGY": "~/mine"}).ontology == Path("~/mine").expanduser()


def test_notices_to_private_addresses_are_off_unless_allowed() -> None:
    assert Settings.from_environment({}).webhook_private is False
    settings = Settings.from_environment({"GRAPHSVC_WEBHOOK_PRIVATE": "true", "GRAPHSVC_WEBHOOK_ATTEMPTS": "3"})
    assert (settings.webhook_private, settings.webhook_attempts) == (True, 3)
