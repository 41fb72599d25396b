"""Whose fact a question asks for, or nobody's in particular, and whether it asks what they like or dislike."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphsvc.language.claims.chinese import chinese_phrase_holder
from graphsvc.language.claims.english import english_phrase_holder
from graphsvc.language.claims.find import find_claims, is_chinese
from graphsvc.language.claims.parse import parse
from graphsvc.language.claims.scene import NOBODY, Scene
from graphsvc.models.facts import Attitude, Certainty, Claim, Holder, HolderKind, Mention

# What asks for a thing, rather than whether. 什么时候 asks for the time of something that is named.
_WHAT = re.compile(r"什么(?!时候)|啥|哪[些种个样类款道]|\b(?:what|which)\b(?! time)", re.IGNORECASE)


def asked_about(text: str, mentions: Sequence[Mention] = (), asker: str | None = None) -> tuple[Holder, Attitude]:
    """The holder a question asks about, and whether it asks what they like or dislike; `asker` is its `I`.

    A question put to the assistant ("do you know if Tom …") asks about whom its inner clause is about. One that asks
    whether, not what, somebody likes is answered by a like and a dislike alike and has no attitude.
    """
    claim = asked_claim(text, mentions, asker)
    attitude = claim.attitude if claim is not None and _WHAT.search(text) else Attitude.NONE
    return _holder(text, mentions, asker, claim), attitude


def subject_of(text: str, mentions: Sequence[Mention] = (), asker: str | None = None) -> Holder:
    """The holder alone of what a question asks about."""
    return asked_about(text, mentions, asker)[0]


def _holder(text: str, mentions: Sequence[Mention], asker: str | None, claim: Claim | None) -> Holder:
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
