"""What one English clause denies, doubts, plans and feels, read off its part of the tree."""

from __future__ import annotations

import itertools

from graphsvc.language.claims import english_words as en
from graphsvc.language.claims.english_frame import inverted
from graphsvc.language.claims.english_tree import Tree
from graphsvc.language.claims.parse import Word
from graphsvc.language.claims.verdict import Signs
from graphsvc.models.facts import Attitude

_BE = frozenset({"be", "am", "is", "are", "was", "were", "been", "being", "'s", "'m", "'re", "get", "got", "gets"})

# The tagger takes `like` for a preposition even where it heads the clause.
_VERBAL_PLACES = frozenset({"ROOT", "ccomp", "conj", "xcomp", "advcl"})


def signs_of(tree: Tree, head: Word) -> Signs:
    """The signs of one clause, the frame around it left aside."""
    scope = tree.scope(head)
    chain = tree.chain(head)
    signs = Signs()
    negators = _negators(tree, head, scope, chain)
    _feel(tree, scope, chain, negators, signs)
    _end(tree, scope, chain, negators, signs)
    signs.negators = len(negators) + _hidden_negators(tree, chain, negators)
    _mood(tree, head, scope, chain, signs)
    return signs


def _negators(tree: Tree, head: Word, scope: list[Word], chain: list[Word]) -> list[Word]:
    """The words that deny this clause, set phrases that deny nothing left out."""
    core = {word.index for word in chain}
    found = []
    for word in scope:
        if word.text in en.NEGATORS:
            above = tree.words[word.head]
            within = above.head in core and above.text in {"ever", "any"}
            if (word.head in core or word.index in core or within or word.dep == "preconj") and not _limit(tree, word):
                found.append(word)
        elif word.text in {"no", "zero"} and word.dep == "det":
            noun = tree.words[word.head]
            if noun.text not in en.NO_IDIOMS and (noun.head in core or noun.index in core):
                found.append(word)
        elif (word.text in en.NEGATIVE_NOUNS and (word.head in core) and not _follows(tree, word, "but")) or (
            word.text == "one" and tree.words[word.index - 1].text == "no" and word.head in core
        ):
            found.append(word)
    return [] if _affirms(tree, head, scope, chain, found) else found


def _limit(tree: Tree, word: Word) -> bool:
    return any(one.text in en.LIMITS for one in tree.words[word.index + 1 : word.index + 2]) and word.text != "never"


def _follows(tree: Tree, word: Word, text: str) -> bool:
    return word.index + 1 < len(tree.words) and tree.words[word.index + 1].text == text


def _affirms(tree: Tree, head: Word, scope: list[Word], chain: list[Word], found: list[Word]) -> bool:
    """`can't wait`, `couldn't agree more`: the inability is a way to affirm."""
    if len(found) != 1:
        return False
    if _suggests(tree, head):
        return True
    modals = {word.text for word in chain if word.tag == "MD"}
    if modals & {"ca", "can", "could", "cannot"} and head.text in en.UNHELPED:
        return True
    compared = any(word.tag in en.COMPARED and word.text != "longer" for word in scope)
    return "could" in modals and compared and not any(word.text == "any" for word in scope)


def _suggests(tree: Tree, head: Word) -> bool:
    """`why not try`, `why don't we try`."""
    subject = tree.subject(head)
    why = any(child.text == "why" for child in tree.children[head.index])
    return why and head.tag in {"VB", "VBP"} and (subject is None or subject.text in {"we", "you"})


def _hidden_negators(tree: Tree, chain: list[Word], negators: list[Word]) -> int:
    """Verbs and adjectives that deny in themselves: fail to, almost, not unlike."""
    count = 0
    for word in chain:
        completed = tree.part(word, "xcomp") is not None
        completed |= word.text in en.FORGETTING and bool(negators) and _is_bidden(tree, word)
        if word.text in en.IMPLICATIVES and completed and word.tag != "NN":
            count += 1
        count += word.text in en.DENYING and tree.part(word, "xcomp") is not None
        nearly = any(child.text in en.NEARLY for child in tree.children[word.index])
        count += nearly and word.tag in {"VBD", "VBN"} and word.dep != "amod"
    after = (one for word in negators for one in tree.words[word.index + 1 : word.index + 3])
    return count + any(_is_negative(word) for word in after)


def _is_bidden(tree: Tree, word: Word) -> bool:
    """`don't forget it`, `you mustn't forget it`: said to whoever is to do it."""
    subject = tree.subject(word)
    modals = {child.text for child in tree.children[word.index] if child.tag == "MD"}
    return word.tag == "VB" and (subject is None or (subject.text in en.SECOND and bool(modals & en.MUST)))


def _is_negative(word: Word) -> bool:
    """Whether a prefix makes the word deny."""
    prefixed = word.text.startswith("un") and len(word.text) > 4 and not word.text.startswith(en.NOT_NEGATIVE)
    return word.tag in {"JJ", "IN", "VBN", "RB"} and (prefixed or word.text in en.NEGATIVE_ADJECTIVES)


def _end(tree: Tree, scope: list[Word], chain: list[Word], negators: list[Word], signs: Signs) -> None:
    """`no longer`, `not anymore`, `used to`, `stopped`: what was so and is no more."""
    texts = [word.text for word in scope]
    pairs = set(itertools.pairwise(texts))
    if ("no", "longer") in pairs:
        signs.ceased = True
    denied = bool(negators) and ("anymore" in texts or ("any", "more") in pairs or ("any", "longer") in pairs)
    if denied and texts[-1] in {"anymore", "more", "longer", ".", "!", "?", ","} | set(texts[-4:]):
        signs.ceased = True
    for word in chain:
        after = {child.text for child in tree.children[word.index]}
        stops = word.text in en.CEASING and word.tag not in {"NN", "NNS"}
        stops |= en.CEASING_WITH.get(en.CEASING_PARTS.get(word.text, ""), "-") in after
        if (
            stops
            and not set(texts) & {"not", "n't", "never"}
            and (tree.part(word, "xcomp", "dobj") or word.dep != "xcomp")
        ):
            signs.ceased = True
        used = word.text in {"used", "use"} and tree.part(word, "xcomp") is not None
        if (
            used
            and tree.part(word, "auxpass") is None
            and word.dep not in {"acomp", "attr"}
            and word.tag in {"VBD", "VB", "VBN"}
        ):
            signs.ceased = not negators
            signs.past = True
        if after & en.FORMERLY and not negators:
            signs.ceased = signs.past = True


def _feel(tree: Tree, scope: list[Word], chain: list[Word], negators: list[Word], signs: Signs) -> None:
    """The attitude the predicate names; `can't stand` uses its negator up."""
    for word in chain:
        if word.text in en.UNBEARABLE and negators and word.tag == "VB":
            signs.attitude = Attitude.DISLIKE
            negators.clear()
            return
        if word.text in en.LIKING and (word.tag.startswith("VB") or word.dep in _VERBAL_PLACES):
            signs.attitude = Attitude.LIKE
        elif word.tag.startswith("VB") and word.text in en.DISLIKING:
            signs.attitude = Attitude.DISLIKE
        elif word.text in en.LIKING_NOUNS or (word.text in en.LIKING_ADJECTIVES and _about(tree, word)):
            signs.attitude = Attitude.LIKE
        elif word.text in en.DISLIKING_ADJECTIVES and _about(tree, word):
            signs.attitude = Attitude.DISLIKE
        elif any(child.text in en.FAVOURITE for child in tree.children[word.index]) or (
            word.text in _BE and any(child.text == "into" for child in tree.children[word.index])
        ):
            signs.attitude = Attitude.LIKE
        if signs.attitude is not Attitude.NONE:
            return
    joined = " ".join(word.text for word in scope)
    subject = tree.subject(chain[0])
    favourite = subject is not None and any(child.text in en.FAVOURITE for child in tree.children[subject.index])
    if favourite or (subject is not None and subject.text in en.FAVOURITE) or " get enough" in joined:
        signs.attitude = Attitude.LIKE
        if " get enough" in joined:
            negators.clear()


def _about(tree: Tree, word: Word) -> bool:
    if word.text not in en.NEEDS_OBJECT:
        return True
    return any(child.text in en.ABOUT for child in tree.children[word.index])


def _mood(tree: Tree, head: Word, scope: list[Word], chain: list[Word], signs: Signs) -> None:
    """Hedges, conditions and plans among the clause's own words."""
    texts = {word.text for word in scope}
    modals = {word.text for word in chain if word.dep == "aux"}
    hedges = {word.text for word in scope if word.text in en.HEDGES and (word.tag == "MD" or word.text != "may")}
    if texts & {"not", "n't", "never"} and "could" in hedges:
        hedges -= {"could"}  # "couldn't find it" reports a failure
    joined = " ".join(word.text for word in tree.words)
    signs.hedged = (
        bool(hedges)
        or "as far as i know" in joined
        or is_attributed(scope)
        or any(word.text in {"seem", "seems", "seemed", "appears"} for word in chain)
    )
    joints = {child.text for child in tree.children[head.index] if child.dep in {"mark", "advmod"}}
    signs.hypothetical = (
        bool(joints & en.CONDITIONS)
        or inverted(tree, head)
        or _conditioned(tree, head)
        or bool(modals & en.WOULD)
        or head.text in en.WISHING
    )
    going = any(w.text == "going" and (x := tree.part(w, "xcomp")) is not None and x.tag == "VB" for w in chain)
    wants = any(word.text in en.PLANNING and tree.part(word, "xcomp") is not None for word in chain)
    signs.planned = bool(modals & en.WILL) or going or wants


def is_attributed(scope: list[Word]) -> bool:
    """`according to Mark`."""
    return any(one.text == "according" and two.text == "to" for one, two in itertools.pairwise(scope))


def _conditioned(tree: Tree, head: Word) -> bool:
    """Whether an if-clause hangs on this one; `even if` leaves it as sure as it was."""
    for clause in tree.children[head.index]:
        joints = {child.text for child in tree.children[clause.index] if child.dep in {"mark", "advmod"}}
        if clause.dep == "advcl" and joints & en.IF and "even" not in joints:
            return True
    return False
