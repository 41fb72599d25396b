"""Who the subject of an English clause is: I, you, a name, someone's brother, or nobody in particular."""

from __future__ import annotations

import re
from collections.abc import Callable

from graphsvc.language.claims import english_words as en
from graphsvc.language.claims import kin
from graphsvc.language.claims.english_tree import Tree
from graphsvc.language.claims.parse import Word
from graphsvc.language.claims.scene import NOBODY, Scene, name_key
from graphsvc.models.facts import Holder, HolderKind

_NAME = frozenset({"NNP", "NNPS"})
_POSSESSIVE = re.compile(r"['’](?:s|S)?$")
_KINSHIP = ("relation", "possessor", "possessor_key")
_FEELING = en.LIKING.keys() | en.DISLIKING.keys() | en.SAYING.keys() | en.THINKING.keys()


def holder_of(tree: Tree, subject: Word, verb: Word, scene: Scene) -> Holder:
    """The holder a subject names; `verb` tells people from things where the noun does not."""
    if any(child.dep == "conj" and child.text in en.FIRST for child in tree.children[subject.index]):
        return scene.first()
    pronoun = _pronoun(subject, scene)
    if pronoun is not None:
        return pronoun
    if subject.text in en.EVERYBODY or subject.dep == "expl" or subject.text in en.NEGATIVE_NOUNS:
        return NOBODY
    if subject.text in en.USER and not any(c.dep in {"amod", "compound"} for c in tree.children[subject.index]):
        return scene.first()
    return _noun(tree, subject, verb, scene)


def _pronoun(word: Word, scene: Scene) -> Holder | None:
    if word.text in en.FIRST:
        return scene.first()
    if word.text in en.SECOND:
        return scene.second()
    if word.text in en.THIRD:
        return scene.third(word.shape, word.start, word.end, en.THIRD[word.text])
    return None


def _noun(tree: Tree, noun: Word, verb: Word, scene: Scene) -> Holder:
    owner = _owner(tree, noun)
    owned_by = None if owner is None else _possessor(tree, owner, verb, scene)
    relation = _relation_word(tree, noun)
    mention = scene.mention_at(noun.start, noun.end)
    if relation is not None and (noun.tag not in _NAME or mention is None or noun.shape.islower()):
        return _relative(tree, noun, relation, owned_by, scene)
    start, end = _phrase(tree, noun)
    named = noun.tag in _NAME or mention is not None
    beside = _apposed(tree, noun, kin.relations)
    if named and beside is not None:
        held = owned_by or _apposed_owner(tree, beside, verb, scene) or scene.first()
        related = scene.related("", start, end, relation=beside.text, possessor=held)
        kinship = {name: getattr(related, name) for name in _KINSHIP}
        return scene.named(noun.shape, noun.start, noun.end).model_copy(update=kinship)
    compound = _compound_before(tree, noun) if named else None
    if compound is not None:
        relation, first = compound
        related = scene.related(
            "", start, end, relation=relation, possessor=_apposed_owner(tree, first, verb, scene) or scene.first()
        )
        kinship = {name: getattr(related, name) for name in _KINSHIP}
        return scene.named(noun.shape, noun.start, noun.end).model_copy(update=kinship)
    if owned_by is not None and verb.text not in _FEELING:
        return owned_by
    if owned_by is not None:
        return _someone(tree, noun, scene)  # only a person says or feels: our CEO
    if mention is not None:
        return scene.named(mention.text, mention.start, mention.end)
    if noun.tag == "NNP" and noun.dep != "expl":
        return _named(scene, start, end)
    return _someone(tree, noun, scene) if verb.text in _FEELING else NOBODY


def _someone(tree: Tree, noun: Word, scene: Scene) -> Holder:
    """A person by a word that is not known to name one, with their name where it stands beside it."""
    start, end = _phrase(tree, noun)
    name = _apposed(tree, noun, lambda text: text.istitle(), shape=True)
    key = name_key(name.shape) if name is not None and name.tag in _NAME else None
    return Holder(kind=HolderKind.OTHER, text=scene.text[start:end], start=start, end=end, key=key)


def _relative(tree: Tree, noun: Word, relation: str, owner: Holder | None, scene: Scene) -> Holder:
    """Someone by relation, with their name where it stands beside it."""
    if owner is None and kin.is_relative(relation) and not _has_article(tree, noun):
        owner = scene.first()
    start, end = _phrase(tree, noun)
    if "-" in relation:
        end = max(end, start + scene.text[start : end + 8].lower().find(relation) + len(relation))
    found = scene.related(scene.text[start:end], start, end, relation=relation, possessor=owner)
    name = _apposed(tree, noun, lambda text: text.istitle(), shape=True)
    return found if name is None else found.model_copy(update={"key": name_key(name.shape)})


def _possessor(tree: Tree, owner: Word, verb: Word, scene: Scene) -> Holder:
    """Whose: a capitalised word that owns is a name, whatever the tagger took it for."""
    holder = holder_of(tree, owner, verb, scene)
    if holder.kind is HolderKind.GENERAL and owner.shape[:1].isupper() and owner.text not in en.DAYS:
        return _named(scene, owner.start, owner.end)
    return holder


def _named(scene: Scene, start: int, end: int) -> Holder:
    """The holder of a name as written, without the mark of possession that the parser may leave on it."""
    owned = _POSSESSIVE.search(scene.text[start:end])
    end -= len(owned[0]) if owned else 0
    return scene.named(scene.text[start:end], start, end)


def _owner(tree: Tree, noun: Word) -> Word | None:
    """Whose it is: `my`, `Helen's`, `of Helen`, `of mine`."""
    for child in tree.children[noun.index]:
        if child.dep == "poss":
            return child
        if child.dep == "prep" and child.text == "of" and _relation_word(tree, noun):
            return next((one for one in tree.children[child.index] if one.dep in {"pobj", "poss"}), None)
        if child.dep == "case" or (child.dep == "nmod" and child.tag == "PRP$"):
            return child
    return None


def _relation_word(tree: Tree, noun: Word) -> str | None:
    """`brother`, or the whole of `ex-husband` and `mother-in-law`, of which the tree has made several words."""
    for first in range(max(0, noun.index - 4), noun.index + 1):
        for last in (noun.index, noun.index + 4):
            whole = "".join(word.text for word in tree.words[first : last + 1])
            if "-" in whole and kin.relations(whole):
                return whole
    return noun.text if kin.relations(noun.text) else None


def _compound_before(tree: Tree, noun: Word) -> tuple[str, Word] | None:
    """The relation of several words right before a name, with its first word: my brother-in-law Steve."""
    for width in (5, 3):
        before = tree.words[max(0, noun.index - width) : noun.index]
        whole = "".join(word.text for word in before)
        if len(before) == width and "-" in whole and kin.relations(whole):
            return whole, before[0]
    return None


def _apposed(tree: Tree, noun: Word, fits: Callable[[str], object], *, shape: bool = False) -> Word | None:
    """A word in apposition: the name in `my brother Tom`, the relation in `Tom, my brother`."""
    for child in tree.children[noun.index]:
        if child.dep in {"compound", "appos", "nmod"} and fits(child.shape if shape else child.text):
            return child
    return None


def _apposed_owner(tree: Tree, noun: Word, verb: Word, scene: Scene) -> Holder | None:
    owner = _owner(tree, noun)
    return None if owner is None else _possessor(tree, owner, verb, scene)


def _has_article(tree: Tree, noun: Word) -> bool:
    return any(child.dep == "det" for child in tree.children[noun.index])


def _phrase(tree: Tree, noun: Word) -> tuple[int, int]:
    """The noun with what stands before it (and `of ...`), as it is written."""
    start, end = noun.start, noun.end
    left = noun.index
    inside = {noun.index}
    waiting = [noun]
    while waiting:
        for child in tree.children[waiting.pop().index]:
            before = child.index < noun.index and child.dep not in {"punct", "cc", "advmod", "preconj", "mark", "neg"}
            after = child.dep == "case" or (child.dep == "prep" and child.text == "of")
            if before or after or (child.dep in {"pobj", "poss", "compound"} and child.head != noun.index):
                inside.add(child.index)
                waiting.append(child)
    while left - 1 in inside:
        left -= 1
        start = tree.words[left].start
    right = noun.index
    while right + 1 in inside:
        right += 1
        end = tree.words[right].end
    return start, end
