"""The closed classes of English the rules for clauses rest on: negators, hedges, verbs of saying and feeling.

Classes follow the Cambridge Grammar (negation ch. 9, modality ch. 3) and Karttunen's implicative verbs (1971).
"""

from __future__ import annotations

_IRREGULAR = {
    "say": "said saying says",
    "tell": "told",
    "hear": "heard",
    "read": "read",
    "write": "wrote written",
    "think": "thought",
    "feel": "felt",
    "know": "knew known",
    "forget": "forgot forgotten forgetting",
    "quit": "quit quitting",
    "stop": "stopped stopping",
    "give": "gave given giving",
    "leave": "left leaving",
    "swear": "swore sworn",
    "prefer": "preferred preferring",
    "admit": "admitted admitting",
    "mean": "meant",
    "plan": "planned planning",
    "intend": "intended",
    "bear": "bore borne",
    "stand": "stood",
    "find": "found",
    "see": "saw seen",
    "dig": "dug digging",
    "cut": "cutting",
    "bet": "betting",
    "cancel": "cancelled cancelling",
    "beg": "begged begging",
}


def inflected(words: str) -> dict[str, str]:
    """Every form of the verbs named, each with its base."""
    forms: dict[str, str] = {}
    for base in words.split():
        stem = base.removesuffix("e")
        third = base[:-1] + "ies" if base.endswith("y") and base[-2] not in "aeou" else base + "s"
        past = base[:-1] + "ied" if base.endswith("y") and base[-2] not in "aeou" else stem + "ed"
        for form in (base, third, base + "es", past, stem + "ing", base + "ing", *_IRREGULAR.get(base, "").split()):
            forms[form] = base
    return forms


# Small clitics and misspellings without an apostrophe are read as what they stand for.
NEGATORS = frozenset(
    {"not", "n't", "nt", "never", "neither", "nor", "hardly", "scarcely", "barely", "rarely", "seldom"}
)
NEGATIVE_NOUNS = frozenset({"nothing", "nobody", "none", "noone", "nowhere", "neither"})
# "not only", "not just": what is denied is the limit, not the statement.
LIMITS = frozenset({"only", "just", "merely", "simply", "solely", "because", "least"})
# "no problem", "no doubt": set phrases that deny nothing stated here.
NO_IDIOMS = frozenset(
    {"problem", "problems", "worries", "worry", "doubt", "wonder", "trouble", "matter", "sooner", "thanks", "later"}
    | {"less", "fewer", "more", "question"}
)
# "can't wait", "can't help laughing": the inability affirms the verb.
UNHELPED = frozenset({"wait", "help", "stop"})
COMPARED = frozenset({"JJR", "RBR"})
# Adjectives whose prefix negates; "not unlike" is litotes. Un- is productive, the others are not cut safely.
NEGATIVE_ADJECTIVES = frozenset(
    ["impossible", "incorrect", "inaccurate", "irrelevant", "dissimilar", "dishonest", "illegal"]
)
NOT_NEGATIVE = ("under", "uni", "until", "unto")
# Karttunen's negative implicatives: who fails to do it does not do it.
IMPLICATIVES = inflected("fail refuse decline neglect forget avoid")
NEARLY = frozenset({"almost", "nearly"})
CEASING = inflected("stop quit cease discontinue cancel")
# "gave up", "cut out", "called off"
CEASING_WITH = {"give": "up", "cut": "out", "swear": "off", "call": "off"}
CEASING_PARTS = inflected("give cut swear call")
# A bid not to forget a thing asks for it.
FORGETTING = inflected("forget neglect")
FORMERLY = frozenset({"formerly", "previously"})

SAYING = inflected(
    "say tell mention claim report announce write insist state reply answer explain add swear promise complain "
    "warn admit note confirm argue shout joke whisper remark text message deny"
)
# What is said to be denied is denied by whoever says so.
DENYING = inflected("deny")
BIDDING = inflected("tell ask order advise warn beg urge want remind instruct command request")
HEARING = inflected("hear read")
ASKING = inflected("ask wonder")
THINKING = inflected(
    "think believe guess suppose assume feel reckon suspect doubt seem appear expect imagine bet gather figure fear"
)
# Frames that take what they hold for true.
KNOWING = inflected("know remember realise realize notice see find learn forget mean mention")
WISHING = inflected("wish hope pray")
SUPPOSING = inflected("suppose imagine assume say")

HEDGES = frozenset(
    [
        "maybe",
        "perhaps",
        "probably",
        "possibly",
        "apparently",
        "reportedly",
        "supposedly",
        "presumably",
        "allegedly",
        "seemingly",
        "likely",
        "conceivably",
        "arguably",
        "rumored",
        "rumoured",
        "might",
        "may",
        "could",
        "should",
        "ought",
        "unsure",
        "mayb",
        "prolly",
    ]
)
CONDITIONS = frozenset({"if", "unless", "whether", "lest", "provided", "providing", "supposing"})
IF = frozenset({"if", "unless", "provided", "providing", "supposing"})
WOULD = frozenset({"would", "'d"})
MUST = frozenset({"must", "should"})
WILL = frozenset({"will", "'ll", "wo", "shall", "gonna"})
PLANNING = inflected("plan intend want hope aim mean decide arrange aspire wanna need")

LIKING = inflected("like love enjoy adore prefer fancy dig appreciate cherish treasure savor savour relish")
LIKING_ADJECTIVES = frozenset(
    ["fond", "keen", "crazy", "mad", "obsessed", "partial", "passionate", "enthusiastic", "hooked", "addicted", "nuts"]
)
LIKING_NOUNS = frozenset(
    ["fan", "lover", "enthusiast", "devotee", "aficionado", "fanatic", "favorite", "favourite", "fave", "preference"]
)
FAVOURITE = frozenset({"favorite", "favourite", "fave", "preferred"})
DISLIKING = inflected("hate dislike detest loathe despise abhor resent distrust")
DISLIKING_ADJECTIVES = frozenset(
    ["allergic", "intolerant", "averse", "sick", "tired", "fed", "weary", "disgusted", "bored"]
)
# These feel something only with what they are about: "tired of", "fed up with", but "tired today" is a state.
NEEDS_OBJECT = frozenset(
    ["sick", "tired", "fed", "weary", "bored", "crazy", "mad", "nuts", "keen", "fond", "partial", "averse"]
)
ABOUT = frozenset({"of", "to", "with", "on", "about", "by"})
UNBEARABLE = frozenset({"stand", "bear", "abide", "stomach", "tolerate"})

EVERYBODY = frozenset(
    [
        "everyone",
        "everybody",
        "people",
        "one",
        "someone",
        "somebody",
        "anyone",
        "anybody",
        "all",
        "most",
        "many",
        "some",
        "few",
        "others",
        "who",
        "it",
        "there",
        "this",
        "that",
        "these",
        "those",
        "what",
        "which",
        "things",
        "something",
        "anything",
        "everything",
    ]
)
FIRST = frozenset({"i", "we", "me", "us", "my", "our", "mine", "ours", "myself", "im", "ive"})
SECOND = frozenset({"you", "your", "yours", "u", "ya", "yourself"})
THIRD = {
    "he": "m", "him": "m", "his": "m", "she": "f", "her": "f", "hers": "f",
    "they": None, "them": None, "their": None, "theirs": None,
}  # fmt: skip
USER = frozenset({"user"})
DAYS = frozenset(
    [
        "today",
        "tomorrow",
        "yesterday",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "tonight",
        "this",
        "last",
        "next",
    ]
)
