"""Claims: what a text states, of whom, how surely, and whether it says so or says not."""

from graphsvc.language.claims.agree import agreement, memory_agreement
from graphsvc.language.claims.find import MOST_CLAIM_CHARS, find_claims
from graphsvc.language.claims.subject import asked_about, asked_claim, subject_of

__all__ = [
    "MOST_CLAIM_CHARS",
    "agreement",
    "asked_about",
    "asked_claim",
    "find_claims",
    "memory_agreement",
    "subject_of",
]
