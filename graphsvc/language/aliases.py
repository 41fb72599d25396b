"""The forms one name may take, the parts of a mail party, and how likely two names are one.

Everything here proposes and nothing merges: romanised and reordered forms are candidates, a
likeness is a number. Names are compared whole, and codes that differ in a digit are two things.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pypinyin import Style, pinyin
from rapidfuzz.distance import JaroWinkler

from graphsvc.language.nicknames import nickname_of
from graphsvc.language.normalise import HAN, MIDDLE_DOT, fold_key
from graphsvc.language.surnames import COMPOUND_SURNAMES, TITLES
from graphsvc.models.identity import Likeness

_ADDRESS = re.compile(r"[\w.+%'-]{1,64}@(?:[\w-]+\.)+[\w-]{2,}")
# Read off a stripped party: with spaces to give away on both sides of the name, a run of them costs its cube.
_PARTY = re.compile(rf"(?P<name>[^<>]*?)[<(（＜]\s*(?:mailto:)?(?P<address>{_ADDRESS.pattern})\s*[>)）＞]")
_HAN_NAME = re.compile(rf"[{HAN}]{{2,4}}")
_LATIN_NAME = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*\.?(?: [^\W\d_]+(?:['-][^\W\d_]+)*\.?){1,3}")
_LAST_FIRST = re.compile(r"([^,]+), ([^,]+)")
_QUOTES = "\"'“”‘’ "
_LOCAL_PART_JOINTS = re.compile(r"[._+-]+")
_TITLED = re.compile(rf"(?P<surname>{'|'.join(COMPOUND_SURNAMES)}|[{HAN}])(?:{TITLES})")
_FAMILIAR = re.compile(rf"[老小阿](?P<surname>[{HAN}])")
# "张伟（财务部）", "Lena Hartmann (Acme)": what tells this bearer of a name from another.
_QUALIFIED = re.compile(r"(?P<name>[^()]{2,60}?) ?\((?P<qualifier>[^()]{1,40})\)")
_LONGEST_NAME = 60
# Whole names this alike are worth showing to a person; below it they are strangers.
_STRANGERS = 0.75
_SHORTEST_GIVEN_NAME = 3


@dataclass(frozen=True, slots=True)
class Address:
    """A party of a message: its display name and its mail address in lower case, either may be missing."""

    name: str | None
    address: str | None


def name_variants(name: str) -> frozenset[str]:
    """Folded forms one name may take: itself, romanised, reordered and joined; a code has only itself."""
    key = fold_key(name)
    if not key or len(key) > _LONGEST_NAME or any(char.isdigit() for char in key) or "@" in key:
        return frozenset({key}) if key else frozenset()
    if _HAN_NAME.fullmatch(key):
        return frozenset({key, *_romanised(key)})
    if MIDDLE_DOT in key:
        return frozenset({key, key.replace(MIDDLE_DOT, ""), key.replace(MIDDLE_DOT, " ")})
    last_first = _LAST_FIRST.fullmatch(key)
    plain = f"{last_first[2]} {last_first[1]}" if last_first else key
    if _LATIN_NAME.fullmatch(plain):
        return frozenset({key, *_reordered(plain.replace(".", "").split())})
    return frozenset({key})


def address_parts(party: str) -> Address:
    """Split a mail party such as `Mei Zhou <Mei.Zhou@Example.com>`; a plain name has no address."""
    if len(party) <= 10 * _LONGEST_NAME:
        match = _PARTY.fullmatch(party.strip())
        if match:
            return Address(match["name"].strip().strip(_QUOTES) or None, fold_key(match["address"]))
    bare = party.strip().strip("<>＜＞").removeprefix("mailto:")
    if _ADDRESS.fullmatch(bare):
        return Address(None, fold_key(bare))
    return Address(party.strip().strip(_QUOTES) or None, None)


def address_names(address: str) -> frozenset[str]:
    """What the local part of an address may be read as; roles and codes read as themselves only."""
    local = fold_key(address).split("@", 1)[0].split("+", 1)[0]
    if not local:
        return frozenset()
    parts = [part for part in _LOCAL_PART_JOINTS.split(local) if part]
    if not 2 <= len(parts) <= 3 or any(not part.isalpha() for part in parts):
        return frozenset({local})
    return frozenset({local, *_reordered(parts)})


def same_name(name: str) -> frozenset[str]:
    """Folded forms that are this very name by notation alone: `Last, First`, the dots of a dotted name."""
    key = fold_key(name)
    if not key or len(key) > _LONGEST_NAME:
        return frozenset({key}) if key else frozenset()
    last_first = _LAST_FIRST.fullmatch(key)
    plain = f"{last_first[2]} {last_first[1]}" if last_first else key
    if last_first and _LATIN_NAME.fullmatch(plain):
        return frozenset({key, plain})
    return frozenset({key})


def qualified_name(name: str) -> tuple[str, str | None]:
    """A folded name and what stands in brackets behind it: `张伟（财务部）` is 张伟 of 财务部."""
    key = fold_key(name)
    found = _QUALIFIED.fullmatch(key)
    return (found["name"], found["qualifier"].strip()) if found else (key, None)


def given_name(key: str) -> str | None:
    """The first part of a folded Latin or dotted full name: people are asked for by it, ambiguous as it may be."""
    first, dot, _ = key.partition(MIDDLE_DOT)
    if dot and re.fullmatch(rf"[{HAN}]{{2,}}", first):
        return first
    words = key.split(" ")
    named = len(words) > 1 and words[0].isascii() and words[0].isalpha() and len(words[0]) >= _SHORTEST_GIVEN_NAME
    return words[0] if named else None


def surname_of_title(name: str) -> str | None:
    """The surname in 王总, 欧阳老师 or 老王; none when it is no such form."""
    key = fold_key(name)
    found = _TITLED.fullmatch(key) or _FAMILIAR.fullmatch(key)
    return found["surname"] if found else None


def is_han_name(name: str) -> bool:
    """Whether a folded name could be a Chinese full name."""
    return bool(_HAN_NAME.fullmatch(name)) and surname_of_title(name) is None


def could_be(name: str, other: str) -> float:
    """How likely two names are one, 0 to 1; whole names only, never a part of a longer one."""
    found = likeness(name, other)
    return 0.0 if found is None else found[0]


def likeness(name: str, other: str) -> tuple[float, Likeness] | None:
    """How likely two names are one, 0 to 1, and by what; none for strangers.

    Two names that hold different digits are strangers, whatever else they share.
    """
    left, right = fold_key(name), fold_key(other)
    if not left or not right or _digits(left) != _digits(right):
        return None
    if left == right or same_name(left) & same_name(right):
        return 1.0, Likeness.SAME
    if (
        _HAN_NAME.fullmatch(left)
        and _HAN_NAME.fullmatch(right)
        and not (surname_of_title(left) or surname_of_title(right))
    ):
        return None  # 张伟 and 章薇 sound alike and are two names
    if name_variants(left) & name_variants(right):
        return 0.9, Likeness.ROMANISED if left.isascii() != right.isascii() else Likeness.REORDERED
    if surname_of_title(left) or surname_of_title(right):
        return _titled(left, right)
    if any("\u3400" <= char <= "\u9fff" for char in left + right) or any(char.isdigit() for char in left):
        return None
    return _by_nickname(left, right) or _by_spelling(left, right)


def _titled(left: str, right: str) -> tuple[float, Likeness] | None:
    """王总 and 老王 could be 王伟: a shared surname, no more."""
    for titled, full in ((left, right), (right, left)):
        surname = surname_of_title(titled)
        if surname is not None and is_han_name(full) and full.startswith(surname):
            return 0.5, Likeness.TITLED
    return None


def _by_nickname(left: str, right: str) -> tuple[float, Likeness] | None:
    """Bob Miller is likely Robert Miller; Bob alone is Robert, or Robert Miller, far less surely."""
    one, other = left.split(), right.split()
    if not nickname_of(one[0], other[0]) or (_begins(one[0], other[0]) and abs(len(one[0]) - len(other[0])) == 1):
        return None  # Ann is no short form of Anna
    if len(one) > 1 and len(other) > 1:
        return (0.85, Likeness.NICKNAME) if one[1:] == other[1:] else None
    return 0.6 if len(one) == len(other) else 0.5, Likeness.NICKNAME


def _by_spelling(left: str, right: str) -> tuple[float, Likeness] | None:
    if len(left.split()) != len(right.split()) or min(len(left), len(right)) <= 3:
        return None
    words = [JaroWinkler.normalized_similarity(*pair) for pair in zip(left.split(), right.split(), strict=True)]
    if min(words) < _STRANGERS or any(_within(*pair) for pair in zip(left.split(), right.split(), strict=True)):
        return None
    return round(JaroWinkler.normalized_similarity(left, right) * min(words), 3), Likeness.SPELLING


def _begins(one: str, other: str) -> bool:
    """Ann begins Anna: two names, not two spellings of one."""
    return one != other and (one.startswith(other) or other.startswith(one))


def _romanised(name: str) -> set[str]:
    """Pinyin of a Han name, surname first and last, joined and apart."""
    syllables = [options[0] for options in pinyin(name, style=Style.NORMAL, errors="ignore")]
    if len(syllables) != len(name):
        return set()
    surname, given = syllables[0], syllables[1:]
    joined = "".join(given)
    forms = {
        f"{surname} {joined}",
        f"{joined} {surname}",
        surname + joined,
        joined + surname,
        " ".join(syllables),
    }
    if len(name) == 4:
        double = "".join(syllables[:2])
        rest = "".join(syllables[2:])
        forms |= {f"{double} {rest}", f"{rest} {double}"}
    return forms


def _reordered(words: list[str]) -> set[str]:
    forms = {" ".join(words), "".join(words)}
    if len(words) in {2, 3}:
        turned = [words[-1], *words[:-1]]
        forms |= {" ".join(turned), "".join(turned)}
    if len(words) == 3:
        turned = [*words[1:], words[0]]
        forms |= {" ".join(turned)}
    return forms


def _within(one: str, other: str) -> bool:
    """Anne ends Joanne as Ann begins Anna."""
    return _begins(one, other) or (one != other and (one.endswith(other) or other.endswith(one)))


def _digits(key: str) -> str:
    return "".join(char for char in key if char.isdigit())
