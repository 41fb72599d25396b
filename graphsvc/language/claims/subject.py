"""Whose fact a question asks for: the asker's own, a named person's, a relative's, or nobody's in particular."""

from __future__ import annotations

from collections.abc import Sequence

from graphsvc.language.claims.chinese import chinese_phrase_holder
from graphsvc.language.claims.english import english_phrase_holder
from graphsvc.language.claims.find import find_claims, is_chinese
from graphsvc.language.claims.parse import parse
from graphsvc.language.claims.scene import NOBODY, Scene
from graphsvc.models.facts import Certainty, Claim, Holder, HolderKind, Mention


def subject_of(text: str, mentions: Sequence[Mention] = (), asker: str | None = None) -> Holder:
    """The holder a question asks about; `asker` is the name its `I` goes by.

    A question put to the assistant ("do you know if Tom …") asks about whom its inner clause is about.
    """
    claim = asked_claim(text, mentions, asker)
    if claim is not None and claim.holder.kind is not HolderKind.GENERAL:
        return claim.holder
    scene = Scene(text, sorted(mentions, key=lambda mention: mention.start), asker)
    if claim is None and is_chinese(text):
        return chinese_phrase_holder(text, scene)
    trees = parse(text, [(0, len(text))]) if claim is None and text.strip() else []
    return english_phrase_holder(trees[0], scene) if trees else NOBODY


def asked_claim(text: str, mentions: Sequence[Mention] = (), asker: str | None = None) -> Claim | None:
    """The clause that asks: the last one put as a question, else the last of all; None in a bare phrase."""
    claims = find_claims(text, mentions, asker)
    asked = [claim for claim in claims if claim.certainty is Certainty.ASKED]
    return asked[-1] if asked else claims[-1] if claims else None
