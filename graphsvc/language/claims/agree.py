"""Compare whose fact is asked for with whose fact a memory states.

Names decide where both sides have one; a relation decides together with whose relative it is. What cannot be
known from these stays unknown: a name and a relative of another may be one person.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from graphsvc.language.aliases import could_be, surname_of_title
from graphsvc.language.claims import kin
from graphsvc.language.normalise import HAN, MIDDLE_DOT, fold_key
from graphsvc.models.facts import Claim, Holder, HolderAgreement, HolderKind

_HAN_NAME = re.compile(f"[{HAN}{MIDDLE_DOT}]+")
_NEVER = re.compile(r"(?!)")
_TITLE = re.compile(r"^(?:mr|mrs|ms|miss|dr|prof|professor|sir)\.? (?=\w)")
_JOINT = re.compile(rf"[\s{MIDDLE_DOT}]+")


@dataclass(frozen=True, slots=True)
class _Person:
    """Who a holder is: by name, or by relation to someone; `speaks` for the speaker, `of_speaker` for their kin.

    `base` holds the names of whose relative it is; empty while those are not known.
    """

    names: frozenset[str]
    speaks: bool
    relations: frozenset[str]
    base: frozenset[str]
    of_speaker: bool


def agreement(
    question: Holder | Claim,
    memory: Holder | Claim,
    speaker_names: Collection[str] = (),
    *,
    asker_names: Collection[str] = (),
) -> HolderAgreement:
    """Whether the question asks about the one the memory's claim is about.

    `speaker_names` are all names of the memory's speaker, `asker_names` all names of who asks; leave both empty
    where a store has one user, then the speaker of either is the same.
    """
    asked = _person(question.holder if isinstance(question, Claim) else question, asker_names)
    told = _person(memory.holder if isinstance(memory, Claim) else memory, speaker_names)
    if asked is None or told is None:
        return HolderAgreement.UNKNOWN
    if asked.relations and told.relations and not (asked.names and told.names):
        return _relatives(asked, told)
    if asked.relations and not asked.names:
        return _relative_and_person(asked, told)
    if told.relations and not told.names:
        return _relative_and_person(told, asked)
    if asked.speaks and told.speaks and not (asked.names or told.names):
        return HolderAgreement.SAME
    return _same_name(asked.names, told.names)


def memory_agreement(
    question: Holder,
    claims: Sequence[Claim],
    text: str,
    tokens: Sequence[str],
    speaker_names: Collection[str] = (),
    *,
    asker_names: Collection[str] = (),
) -> HolderAgreement:
    """The agreement of those claims of a memory that hold most of the question's `tokens` (folded words).

    The same where one of them is; different only where each of them is. Where none of them holds any of the words,
    they must agree on it. A claim of somebody else that names the one asked for beside its own subject ("he lives in
    Suzhou with his daughter") may tell of both.
    """
    if not claims:
        return HolderAgreement.UNKNOWN
    about = fold_key(question.text or "")
    wanted = [token for token in tokens if token not in about]
    folded = [fold_key(text[claim.start : claim.end]) for claim in claims]
    covered = [sum(len(token) for token in wanted if token in clause) for clause in folded]
    most = max(covered)
    asked = _whole(fold_key(question.relation or question.key or ""))
    found = set()
    for claim, clause, share in zip(claims, folded, covered, strict=True):
        if share == most:
            verdict = agreement(question, claim, speaker_names, asker_names=asker_names)
            beside = asked.search(clause.replace(fold_key(claim.holder.text or ""), " "))
            found.add(HolderAgreement.UNKNOWN if beside and verdict is HolderAgreement.DIFFERENT else verdict)
    if not most and len(found) > 1:
        return HolderAgreement.UNKNOWN
    if HolderAgreement.SAME in found:
        return HolderAgreement.SAME
    return HolderAgreement.DIFFERENT if found == {HolderAgreement.DIFFERENT} else HolderAgreement.UNKNOWN


def _whole(word: str) -> re.Pattern[str]:
    """Finds a folded word, not a part of a longer Latin one; an empty one never."""
    if not word:
        return _NEVER
    return re.compile(rf"(?<![^\W{HAN}]){re.escape(word)}(?![^\W{HAN}])" if word.isascii() else re.escape(word))


def _person(holder: Holder, names: Collection[str]) -> _Person | None:
    own = (
        frozenset(fold_key(name) for name in names)
        if holder.key is None or holder.kind is not HolderKind.SPEAKER
        else (frozenset({holder.key, *(fold_key(name) for name in names)}))
    )
    if holder.kind is HolderKind.SPEAKER:
        return _Person(own, speaks=True, relations=frozenset(), base=frozenset(), of_speaker=False)
    if holder.kind is not HolderKind.OTHER:
        return None
    relations = kin.relations(fold_key(holder.relation)) if holder.relation else frozenset()
    called = frozenset({holder.key}) if holder.key else frozenset()
    if not relations and not called:
        return None
    of_speaker = holder.possessor is HolderKind.SPEAKER
    base = frozenset({holder.possessor_key}) if holder.possessor_key else frozenset()
    if of_speaker:
        base |= frozenset(fold_key(name) for name in names)
    return _Person(called, speaks=False, relations=relations, base=base, of_speaker=of_speaker)


def _relatives(one: _Person, other: _Person) -> HolderAgreement:
    if not one.relations & other.relations:
        return HolderAgreement.DIFFERENT
    if one.base and other.base:
        return _same_name(one.base, other.base)
    both_speakers = one.of_speaker and other.of_speaker and not one.base and not other.base
    return HolderAgreement.SAME if both_speakers else HolderAgreement.UNKNOWN


def _relative_and_person(relative: _Person, person: _Person) -> HolderAgreement:
    """Nobody is their own relative; anyone else may be."""
    if relative.of_speaker and person.speaks and not (relative.base and person.names):
        return HolderAgreement.DIFFERENT
    same = _same_name(relative.base, person.names) if relative.base and person.names else HolderAgreement.UNKNOWN
    return HolderAgreement.DIFFERENT if same is HolderAgreement.SAME else HolderAgreement.UNKNOWN


def _same_name(some: frozenset[str], others: frozenset[str]) -> HolderAgreement:
    """One name in common, or one within the other; likely names and names in two scripts cannot be told apart."""
    pairs = [(one, other) for one in some for other in others if "@" not in one + other]
    if any(_matches(one, other) for one, other in pairs):
        return HolderAgreement.SAME
    comparable = any(bool(_HAN_NAME.fullmatch(one)) == bool(_HAN_NAME.fullmatch(other)) for one, other in pairs)
    if not comparable or any(_could_be_one(one, other) for one, other in pairs):
        return HolderAgreement.UNKNOWN
    return HolderAgreement.DIFFERENT


def _could_be_one(one: str, other: str) -> bool:
    """A likely pair, or 老顾 beside 顾叔: forms of address of one surname; or one name cut short."""
    if _cut_short(*sorted((one, other), key=len)) or one == "".join(reversed(other.split(MIDDLE_DOT))):
        return True
    surnames = {surname_of_title(one), surname_of_title(other)}
    return could_be(one, other) > 0 or (None not in surnames and len(surnames) == 1)


def _cut_short(short: str, long: str) -> bool:
    """伟明 for 王伟明, 星河 for 星河公司, 北大 for 北京大学; but 王伟 is not 王伟明."""
    if len(short) < 2 or short == long or not (_HAN_NAME.fullmatch(short) and _HAN_NAME.fullmatch(long)):
        return False
    return (long.endswith(short) and len(long) <= 4) or (
        long[0] == short[0] and len(long) - len(short) > 1 and re.search(".*".join(short), long) is not None
    )


def _matches(one: str, other: str) -> bool:
    """The same name, or one made of words (or dotted parts) of the other."""
    words, more = (set(_JOINT.split(_TITLE.sub("", name))) for name in (one, other))
    return words <= more or more <= words
