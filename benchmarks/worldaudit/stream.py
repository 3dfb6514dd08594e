"""The stream that patterns run over: fillers left out, mentions made one item, clauses and the agent's own
motion marked. Rules: ours."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from benchmarks.worldaudit.lexicon import Lexicon
from benchmarks.worldaudit.mentions import Mention, between_opens
from benchmarks.worldaudit.patterns import MENTION, Item
from benchmarks.worldaudit.words import STOPS, Token

OTHER_SUBJECT = frozenset({"it", "they", "that", "which", "is", "are", "was", "were", "has", "had", "have"})
"""Words after which a verb need no longer be the agent's."""


def build_stream(tokens: Sequence[Token], mentions: Sequence[Mention], lexicon: Lexicon) -> tuple[Item, ...]:
    """`tokens` as items, in order."""
    clauses = _clauses(tokens, mentions, lexicon)
    own = _own_motion(tokens, mentions, lexicon)
    begins = {mention.start: index for index, mention in enumerate(mentions)}
    inside = {at for mention in mentions for at in range(mention.start, mention.end)}
    items = []
    for at, token in enumerate(tokens):
        if at in begins:
            items.append(Item(MENTION, token.sentence, clauses[at], begins[at]))
        elif at not in inside and token.word not in lexicon.fillers:
            items.append(Item(token.word, token.sentence, clauses[at], None, at in own))
    return tuple(items)


def questions(tokens: Sequence[Token]) -> frozenset[int]:
    """The sentences that end in a question mark: what they say is asked, not claimed."""
    return frozenset(token.sentence for token in tokens if token.word == "?")


def _clauses(tokens: Sequence[Token], mentions: Sequence[Mention], lexicon: Lexicon) -> list[int]:
    """The clause of each token. Marks and conjunctions begin a new one; a comma or "and" does so only before
    an opener (a pronoun, an article ...) and never inside a list of objects."""
    lists: set[int] = set()
    for one, two in pairwise(mentions):
        if one.list_of is not None and one.list_of == two.list_of:
            lists.update(range(one.end, two.start))
    out = []
    clause = 0
    for at, token in enumerate(tokens):
        following = tokens[at + 1].word if at + 1 < len(tokens) else ""
        opens = following in lexicon.clause_openers or following in lexicon.grammar.articles
        if token.word in STOPS or token.word in lexicon.clause_marks:
            out.append(clause)
            clause += 1
            continue
        joins = at in lists or (token.word == "and" and between_opens(tokens, at))
        if token.word in lexicon.clause_words or (token.word in (",", "and", "or") and opens and not joins):
            clause += 1
        out.append(clause)
    return out


def _own_motion(tokens: Sequence[Token], mentions: Sequence[Mention], lexicon: Lexicon) -> frozenset[int]:
    """The tokens that tell what the agent does: a verb of motion or handling after "I" and its helpers, after
    another such verb and "and" or "then", at the head of a sentence, or as a gerund after "when", "by" ..."""
    own: set[int] = set()
    inside = {at for mention in mentions for at in range(mention.start, mention.end)}
    subject_open = False  # the words since the agent's name are helpers only
    chained = False  # the last verb was the agent's own, and no other subject has come since
    leads = False  # the agent is the sentence's subject, and no other one has come since
    for at, token in enumerate(tokens):
        word = token.word
        before = tokens[at - 1].word if at else "."
        if at and tokens[at - 1].sentence != token.sentence:
            subject_open = chained = leads = False
        is_verb = at not in inside and word.startswith(lexicon.agent_verbs)
        heads = before in STOPS or at == 0
        joined_on = (chained and before in ("and", "then", ",", "or")) or (
            leads and before in ("and", "then")
        )
        gerund = word.endswith("ing") and before in lexicon.agent_gerund_after
        if is_verb and (subject_open or heads or joined_on or gerund):
            own.add(at)
            chained, subject_open = True, False
        elif word in lexicon.agent_subjects:
            subject_open = True
            leads = leads or heads
        elif word not in lexicon.agent_helpers:
            subject_open = False
            if word in OTHER_SUBJECT:
                chained = leads = False
    return frozenset(own)
