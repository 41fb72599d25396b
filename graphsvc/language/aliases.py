"""The forms one name may take, the parts of a mail party, and how likely two names are one.

Everything here proposes and nothing merges: romanised and reordered forms are candidates, a
likeness is a number. Names are compared whole, and codes that differ in a digit are two things.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pypinyin import Style, pinyin
from rapidfuzz.distance import JaroWinkler

from graphsvc.language.normalise import HAN, MIDDLE_DOT, fold_key

_ADDRESS = re.compile(r"[\w.+%'-]{1,64}@(?:[\w-]+\.)+[\w-]{2,}")
_PARTY = re.compile(rf"\s*(?P<name>[^<>]*?)\s*[<(（＜]\s*(?:mailto:)?(?P<address>{_ADDRESS.pattern})\s*[>)）＞]\s*")
_HAN_NAME = re.compile(rf"[{HAN}]{{2,4}}")
_LATIN_NAME = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*\.?(?: [^\W\d_]+(?:['-][^\W\d_]+)*\.?){1,3}")
_LAST_FIRST = re.compile(r"([^,]+), ([^,]+)")
_QUOTES = "\"'“”‘’ "
_LOCAL_PART_JOINTS = re.compile(r"[._+-]+")
_TITLED = re.compile(rf"([{HAN}])(?:总|工|哥|姐|老师|医生|经理|主任|教授|律师|先生|女士|小姐)")
_LONGEST_NAME = 60
# Whole names this alike are worth showing to a person; below it they are strangers.
_STRANGERS = 0.75


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
        match = _PARTY.fullmatch(party)
        if match:
            return Address(match["name"].strip(_QUOTES) or None, fold_key(match["address"]))
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


def could_be(name: str, other: str) -> float:
    """How likely two names are one, 0 to 1; whole names only, never a part of a longer one."""
    left, right = fold_key(name), fold_key(other)
    if not left or not right:
        return 0.0
    if left == right:
        return 1.0
    if _digits(left) != _digits(right):
        return 0.0
    if name_variants(left) & name_variants(right):
        return 0.9
    titled = _titled(left, right)
    if titled is not None:
        return titled
    if any("\u3400" <= char <= "\u9fff" for char in left + right):
        return 0.0
    if len(left.split()) != len(right.split()) or any(char.isdigit() for char in left):
        return 0.0
    likeness = JaroWinkler.normalized_similarity(left, right)
    words = [JaroWinkler.normalized_similarity(*pair) for pair in zip(left.split(), right.split(), strict=True)]
    return round(likeness * min(words), 3) if min(words) >= _STRANGERS and min(len(left), len(right)) > 3 else 0.0


def _titled(left: str, right: str) -> float | None:
    """王总 and 老王 could be 王伟: a shared surname, no more."""
    for titled, full in ((left, right), (right, left)):
        surname = _TITLED.fullmatch(titled) or re.fullmatch(rf"[老小阿]([{HAN}])", titled)
        if surname and _HAN_NAME.fullmatch(full) and not _TITLED.fullmatch(full):
            return 0.5 if full.startswith(surname[1]) else 0.0
    return None


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


def _digits(key: str) -> str:
    return "".join(char for char in key if char.isdigit())
