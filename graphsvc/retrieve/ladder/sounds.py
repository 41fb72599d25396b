"""How alike two Han words sound: pinyin without tones, near sounds allowed where a character is shared.

Near sounds are those that speakers of southern accents and fast typists mix: zh/z ch/c sh/s n/l,
an/ang en/eng in/ing, and finals that differ in a nasal alone (yuan/yue, ian/ie).
"""

from __future__ import annotations

from functools import cache

from pypinyin import Style, lazy_pinyin
from pypinyin.contrib.tone_convert import to_finals, to_initials

Syllable = tuple[str, str]
Sound = tuple[Syllable, ...]

_INITIALS = {"zh": "z", "ch": "c", "sh": "s", "n": "l"}
_NASALS = {"ang": "an", "eng": "en", "ing": "in", "iang": "ian", "uang": "uan"}
_OPEN = {"van": "ve", "ian": "ie"}
_CLOSE, _NEAR = 1, 2
FARTHEST = 2


@cache
def syllable(spelt: str) -> Syllable:
    """Initial and final of a syllable of pinyin; `yuan` is ("", "van")."""
    return to_initials(spelt, strict=True), to_finals(spelt, strict=True, v_to_u=False)


def sound_of(word: str) -> Sound:
    """How Han characters are read, by their most usual reading; with rarer ones (家 as jie) all sounds like all."""
    return tuple(syllable(one) for one in lazy_pinyin(word, style=Style.NORMAL))


def distance(left: Sound, right: Sound) -> int | None:
    """0 for the same sounds, up to `FARTHEST` where one syllable is near; None when they are farther apart."""
    if len(left) != len(right):
        return None
    apart = [(one, other) for one, other in zip(left, right, strict=True) if one != other]
    if not apart:
        return 0
    found = _apart(*apart[0]) if len(apart) == 1 else None
    return found if found is not None and found <= FARTHEST else None


def _apart(left: Syllable, right: Syllable) -> int | None:
    (first, rest), (other_first, other_rest) = left, right
    total = 0
    if first != other_first:
        if _INITIALS.get(first, first) != _INITIALS.get(other_first, other_first):
            return None
        total += _CLOSE
    if rest != other_rest:
        if _NASALS.get(rest, rest) == _NASALS.get(other_rest, other_rest):
            total += _CLOSE
        elif _OPEN.get(rest) == other_rest or _OPEN.get(other_rest) == rest:
            total += _NEAR
        else:
            return None
    return total
