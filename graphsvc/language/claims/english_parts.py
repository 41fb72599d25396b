"""English clauses that say two things with one verb: a contrast, and a bid not to do something.

"I didn't buy the blue one but the red one" denies one thing and states another; in "she told me not to buy
it" the telling is hers and the not buying is mine.
"""

from __future__ import annotations

from dataclasses import dataclass

from graphsvc.language.claims import english_words as en
from graphsvc.language.claims.english_tree import Tree
from graphsvc.language.claims.parse import Word


@dataclass(frozen=True, slots=True)
class Part:
    """The second thing said: from `start` to `end`, by `word`; the first ends at `cut`. `who` is bidden, if anybody."""

    cut: int
    start: int
    end: int
    word: Word
    who: Word | None = None


def second_part(tree: Tree, head: Word) -> Part | None:
    """What a clause says beside its first statement, None where it says one thing."""
    return _bid(tree, head) or _contrast(tree, head)


def _contrast(tree: Tree, head: Word) -> Part | None:
    """`not A but B` of one verb: A and B are joined by `but` and neither is a clause."""
    if not any(child.dep == "neg" for child in tree.children[head.index]):
        return None
    for word in tree.scope(head):
        first = tree.words[word.head]
        joint = next((one for one in tree.children[first.index] if one.text == "but" and one.dep == "cc"), None)
        joined = word.dep == "conj" and joint is not None and first.index < joint.index < word.index
        if not joined or joint is None or joint.index < 2 or word.tag.startswith(("VB", "MD")):
            continue
        return Part(tree.words[joint.index - 1].end, *_reach(tree, word, joint.index), word)
    return None


def _bid(tree: Tree, head: Word) -> Part | None:
    """`told me not to buy a car`."""
    verb, who = tree.part(head, "xcomp", "ccomp"), tree.part(head, "dobj", "dative")
    if head.text not in en.BIDDING or verb is None or not verb.tag.startswith("VB"):
        return None
    who = who or tree.subject(verb)
    negator = tree.part(verb, "neg")
    infinitive = any(child.text == "to" for child in tree.children[verb.index])
    if who is None or negator is None or not infinitive or not head.index < who.index < negator.index:
        return None
    return Part(tree.words[negator.index - 1].end, negator.start, _reach(tree, verb, negator.index - 1)[1], verb, who)


def _reach(tree: Tree, word: Word, after: int) -> tuple[int, int]:
    """The stretch of a word and all that hangs on it, behind the word with the index `after`."""
    inside, waiting = [word], [word]
    while waiting:
        below = [one for one in tree.children[waiting.pop().index] if one.index > after and one.dep != "punct"]
        inside += below
        waiting += below
    return min(one.start for one in inside), max(one.end for one in inside)
