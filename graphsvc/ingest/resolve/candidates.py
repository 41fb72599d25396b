"""Propose which identities might be one: names alike by sound, order, title, short form or spelling.

Only names that share a block are compared, so the work grows with the names and not with their
pairs. Codes and addresses are never compared, and nothing here joins anything.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from graphsvc.language.aliases import given_name, is_han_name, likeness, name_variants, surname_of_title
from graphsvc.language.nicknames import full_forms
from graphsvc.models.identity import Identity, Likeness, Proposal

# Two addresses under one name are two people until somebody says otherwise: likely, no more.
_NAMESAKES = 0.6
# A block this large is a fashion in names, not a likeness.
_LARGEST_BLOCK = 200
_REASONS = {
    Likeness.SAME: "{left} and {right} bear the same name under different addresses",
    Likeness.ROMANISED: "{left} romanised reads {right}",
    Likeness.REORDERED: "{left} and {right} are the same words in another order or joined",
    Likeness.NICKNAME: "{left} and {right} are forms of one given name",
    Likeness.TITLED: "{left} and {right} share the surname and one is a title",
    Likeness.SPELLING: "{left} and {right} are spelt nearly alike",
}


def propose(identities: Sequence[Identity], *, at_least: float = 0.0) -> list[Proposal]:
    """Pairs that might be one, likeliest first; ties by the entities that stand for them."""
    names = {one.entity: _names(one) for one in identities}
    blocks: dict[tuple[str, str], set[int]] = defaultdict(set)
    for place, one in enumerate(identities):
        for name in names[one.entity]:
            for key in _blocks(name):
                blocks[one.type, key].add(place)
    pairs = {
        pair for block in blocks.values() if len(block) <= _LARGEST_BLOCK for pair in combinations(sorted(block), 2)
    }
    found = []
    for left, right in sorted(pairs):
        one, other = identities[left], identities[right]
        best = _best(names[one.entity], names[other.entity])
        if best is not None and best[0] >= at_least:
            score, kind, reason = best
            found.append(Proposal(left=one, right=other, score=score, likeness=kind, reason=reason))
    return sorted(found, key=lambda one: (-one.score, one.left.entity, one.right.entity))


def _names(one: Identity) -> tuple[str, ...]:
    """Names that may be compared: no address, no code, and no given name that belongs to a full one."""
    given = {given_name(alias) for alias in one.aliases}
    return tuple(
        alias
        for alias in one.aliases
        if alias not in given and "@" not in alias and not any(char.isdigit() or char in "._" for char in alias)
    )


def _blocks(name: str) -> Iterator[str]:
    yield from name_variants(name)
    surname = surname_of_title(name)
    if surname is not None:
        yield f"surname {surname}"
        return
    if is_han_name(name):
        yield from (f"surname {name[:length]}" for length in (1, 2))
        return
    words = name.split()
    if name.isascii() and words:
        yield f"initials {len(words)} {''.join(word[0] for word in words)} {words[-1][:2]}"
        forms = {words[0], *full_forms(words[0])}
        yield from (f"given {form}" for form in forms)


def _best(names: Iterable[str], others: Sequence[str]) -> tuple[float, Likeness, str] | None:
    found = []
    for name in names:
        for other in others:
            alike = likeness(name, other)
            if alike is not None:
                score, kind = alike
                score = _NAMESAKES if kind is Likeness.SAME else score
                found.append((score, kind, _REASONS[kind].format(left=name, right=other)))
    return max(found, key=lambda one: (one[0], one[2]), default=None)
