"""English frames: verbs that hold another clause and tell how it is put forward.

A frame of saying reports its content, one of thinking hedges it, one of asking asks it, one of wishing only
supposes it; what is known, seen or remembered stands as it is.
"""

from __future__ import annotations

from dataclasses import dataclass

from graphsvc.language.claims import english_words as en
from graphsvc.language.claims.english_tree import Tree
from graphsvc.language.claims.parse import Word
from graphsvc.language.claims.scene import NOBODY, Scene
from graphsvc.models.facts import Holder, HolderKind

_WH = frozenset({"who", "what", "which", "where", "when", "why", "how", "whose", "whom"})
_INVERTED = frozenset(
    {"do", "does", "did", "is", "are", "was", "were", "am", "can", "could", "will", "would", "should", "has", "have"}
    | {"had", "may", "might", "shall", "wo", "ca"}
)
_BEING = frozenset({"is", "'s", "was"})
_CONDITIONAL = frozenset({"had", "were", "should"})
_OUTCOMES = frozenset({"would", "'d", "could", "might", "will", "'ll", "can"})
_MINDS = frozenset({"sure", "certain", "glad", "afraid", "sorry", "unsure", "positive", "convinced"})
_SURE = frozenset({"sure", "certain", "positive", "convinced"})
_VERBS = (
    en.SAYING.keys() | en.HEARING.keys() | en.ASKING.keys() | en.THINKING.keys() | en.KNOWING.keys() | en.WISHING.keys()
)
_QUESTION_MARKS = frozenset({"if", "whether"})


@dataclass(frozen=True, slots=True)
class Frame:
    """What the clauses above lend to one clause."""

    asked: bool = False
    hypothetical: bool = False
    hedged: bool = False
    negators: int = 0
    reported: bool = False
    reporter: Holder | None = None
    told: Holder | None = None
    # Whose the clause is that this frame is around.
    holder: Holder = NOBODY


def content_of(tree: Tree, head: Word) -> list[Word]:
    """The clauses a verb, or the adjective it is completed by, holds."""
    heads = {word.index for word in tree.heads}
    mind = _mind(tree, head)
    near = [*tree.children[head.index], *(tree.children[mind.index] if mind is not None else ())]
    inside = [child for child in near if child.index in heads]
    found = [child for child in inside if child.dep == "ccomp"]
    if not found and (mind is not None or head.text in en.KNOWING or head.text in en.ASKING):
        found = [
            one
            for one in inside
            if one.dep == "advcl" and one.index > head.index and _joints(tree, one) & _QUESTION_MARKS
        ]
    if not found and is_frame(tree, head):
        found = [child for child in inside if child.dep == "parataxis"]
    return found


def is_frame(tree: Tree, head: Word) -> bool:
    """Whether a head with content says nothing beside it."""
    return head.text in _VERBS or head.text in _BEING or _mind(tree, head) is not None


def lend(tree: Tree, head: Word, content: Word, outer: Frame, scene: Scene) -> Frame:
    """What a frame says of its content; it goes on to whatever that holds in turn."""
    holder = outer.holder
    mind = _mind(tree, head)
    word = head.text if mind is None else mind.text
    denied = any(child.dep == "neg" for child in tree.children[head.index])
    joints = _joints(tree, content)
    refused = word in en.DENYING or (word in _BEING and denied and "that" in joints and not _limited(tree, head))
    supposed = word in en.WISHING or (is_order(tree, head) and word in en.SUPPOSING and "if" not in joints)
    doubted = word in en.THINKING or word in en.HEARING or word in {"unsure", "afraid"}
    doubted |= denied and (word in _SURE or word in en.SAYING)
    hearsay = tree.part(head, "nsubjpass") is not None or holder.kind is not HolderKind.SPEAKER
    speaks = word in en.SAYING or word in en.THINKING or word in en.ASKING
    return Frame(
        asked=outer.asked or (bool(joints & _QUESTION_MARKS) and word not in en.WISHING) or word in en.ASKING,
        hypothetical=outer.hypothetical or supposed,
        hedged=outer.hedged or doubted,
        # "I don't think he smokes" and "it's not that he smokes" say that he does not.
        negators=int((denied and word in en.THINKING) or (refused and (not denied or word in _BEING))),
        reported=outer.reported or (word in en.SAYING and hearsay) or word in en.HEARING,
        reporter=holder if speaks else outer.reporter,
        told=_hearer(tree, head, scene) if speaks else outer.told,
    )


def is_order(tree: Tree, head: Word) -> bool:
    """Whether a verb without a subject bids: `send it`, but not `love it`."""
    if head.tag not in {"VB", "VBP"} or head.dep not in {"ROOT", "conj"} or tree.subject(head) is not None:
        return False
    if head.dep == "conj":
        return is_order(tree, tree.words[head.head])
    helpers = {child.text for child in tree.children[head.index] if child.dep == "aux"}
    return helpers <= {"do"} and head.text not in en.LIKING and head.text not in en.DISLIKING


def question(tree: Tree) -> bool:
    """Whether a sentence asks: by its mark, or, where none is written, by the order of its words."""
    words = [word for word in tree.words if word.shape.strip()]
    if any(word.text == "?" for word in words[-3:]):
        return True
    if len(words) < 3 or words[-1].text in {".", "!"} or supposes(tree):
        return False
    subject = tree.subject(next(word for word in tree.words if word.head == word.index))
    if subject is None:
        return False
    inverted = any(word.text in _INVERTED and word.index < subject.index for word in words[:4])
    if words[0].text in _WH:
        return inverted or subject.index <= words[0].index + 1
    return words[0].text in _INVERTED and inverted


def supposes(tree: Tree) -> bool:
    """Whether a sentence begins with a condition by the order of its words: had I known, I would have come."""
    first = next((head for head in tree.heads if tree.subject(head) is not None), None)
    if first is None or len(tree.heads) < 2 or not inverted(tree, first) or tree.words[-1].text == "?":
        return False
    later = [head for head in tree.heads if head is not first]
    outcome = any(child.text in _OUTCOMES for head in later for child in tree.children[head.index])
    return outcome or any(tree.subject(head) is None and head.tag in {"VB", "VBP"} for head in later)


def inverted(tree: Tree, head: Word) -> bool:
    """`had I known`, `were I rich`, `should you need it`: the verb before its subject and no joint before it."""
    subject = tree.subject(head)
    if subject is None or tree.part(head, "mark") is not None:
        return False
    verbs = [head, *(child for child in tree.children[head.index] if child.dep in {"aux", "auxpass"})]
    leads = min(verbs, key=lambda word: word.index)
    begins = leads.index == 0 or head.dep == "advcl"
    return begins and leads.text in _CONDITIONAL and leads.index == subject.index - _width(tree, subject)


def _width(tree: Tree, noun: Word) -> int:
    """How many words a noun is, up to its last: 2 in `my boss`."""
    return noun.index - min([noun.index, *(child.index for child in tree.children[noun.index])]) + 1


def _limited(tree: Tree, head: Word) -> bool:
    """`it's not just that`: more is said than denied."""
    return any(child.text in en.LIMITS for child in tree.children[head.index])


def tag_question(tree: Tree) -> int | None:
    """The head of `, don't you?` at the end of a statement, which asks but states nothing."""
    root = next(word for word in tree.words if word.head == word.index)
    for head in tree.heads:
        start, end = tree.span(head)
        if head.index > root.index and head.text in _INVERTED and end - start < 12 and len(tree.heads) > 1:
            subject = tree.subject(head)
            if subject is not None and subject.index > head.index:
                return head.index
    return None


def _hearer(tree: Tree, head: Word, scene: Scene) -> Holder | None:
    """The speaker, where it is they who were told."""
    hearer = tree.part(head, "dobj", "dative", "iobj")
    return scene.first() if hearer is not None and hearer.text in {"me", "us"} else None


def _mind(tree: Tree, head: Word) -> Word | None:
    """`sure` in `I am sure that …`."""
    state = tree.part(head, "acomp")
    return state if state is not None and state.text in _MINDS else None


def _joints(tree: Tree, head: Word) -> set[str]:
    return {child.text for child in tree.children[head.index] if child.dep in {"mark", "advmod"}}
