"""Senses of ambiguous words: those of the inventory, and those a user's own texts show."""

from graphsvc.language.senses.habits import Use, count_uses, habits_of
from graphsvc.language.senses.induce import Induced, Occurrence, ProposedSense, induce
from graphsvc.language.senses.tagger import SenseTagger

__all__ = ["Induced", "Occurrence", "ProposedSense", "SenseTagger", "Use", "count_uses", "habits_of", "induce"]
