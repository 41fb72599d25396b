"""The irregular verbs of English, each form with its base, so that `who lent` finds `lend`.

A closed class; regular endings are cut by the stemmer of the search words.
"""

from __future__ import annotations

_FORMS = """
be am is are was were been being
have has had having
do does did done
go goes went gone
come came
get got gotten
give gave given
take took taken
make made
pay paid
buy bought
sell sold
lend lent
send sent
spend spent
lose lost
leave left
lead led
meet met
keep kept
sleep slept
feel felt
find found
hold held
hear heard
stand stood
understand understood
tell told
say said
think thought
bring brought
catch caught
teach taught
seek sought
fight fought
build built
bend bent
choose chose chosen
break broke broken
speak spoke spoken
steal stole stolen
wake woke woken
freeze froze frozen
drive drove driven
write wrote written
ride rode ridden
rise rose risen
eat ate eaten
fall fell fallen
see saw seen
draw drew drawn
fly flew flown
grow grew grown
know knew known
throw threw thrown
blow blew blown
wear wore worn
tear tore torn
swear swore sworn
drink drank drunk
begin began begun
swim swam swum
ring rang rung
sing sang sung
sink sank sunk
run ran
win won
hang hung
dig dug
stick stuck
strike struck
sit sat
shoot shot
light lit
bite bit bitten
hide hid hidden
forget forgot forgotten
sew sewed sewn
mean meant
deal dealt
burn burnt
learn learnt
spell spelt
smell smelt
dream dreamt
shut
cost
put
cut
hit
let
set
read
show showed shown
bear bore born borne
shake shook shaken
withdraw withdrew withdrawn
owe owed
die died dying
lie lay lain lying
bleed bled
feed fed
speed sped
weave wove woven
wind wound
"""
_BASES = {form: line.split()[0] for line in _FORMS.strip().splitlines() for form in line.split()}


def base(word: str) -> str:
    """The base of an irregular form; any other word as it is."""
    return _BASES.get(word, word)


def is_form(word: str) -> bool:
    """Whether a word is a form of an irregular verb."""
    return word in _BASES
