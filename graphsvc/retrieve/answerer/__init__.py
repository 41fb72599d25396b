"""Let a language model word the answer, from the evidence alone, and believe nothing it cannot show."""

from graphsvc.retrieve.answerer.answerer import Answerer
from graphsvc.retrieve.answerer.refusal import ANSWERER, Reason, Refused

__all__ = ["ANSWERER", "Answerer", "Reason", "Refused"]
