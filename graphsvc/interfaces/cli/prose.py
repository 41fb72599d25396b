"""Text for a terminal: as data and never as markup, broken where its language may be broken.

Control characters are shown, not sent, so that a stored text cannot steer the terminal.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

_VISIBLE = {code: chr(0x2400 + code) for code in range(32) if chr(code) not in "\n\t"} | {0x7F: "␡"}
_VISIBLE |= dict.fromkeys((*range(128, 160), *range(8234, 8239), *range(8294, 8298)), "�")
# What no line begins with, and what none ends with.
_CLOSING = frozenset("，。、；：！？）」』》】〉”’…％·,.;:!?)]}%")
_OPENING = frozenset("（「『《【〈“‘([{")
_LABEL_WIDTH = 10


def plain(text: str, style: str = "") -> Text:
    """Text for the terminal, as long as the original, so that spans stay true."""
    return Text(text.translate(_VISIBLE), style=style)


class Prose:
    """Text in lines as long as fit: English breaks between words, Chinese anywhere but before a closing mark.

    Rich takes a run of Chinese for one word, and leaves half a line empty before it.
    """

    def __init__(self, text: Text) -> None:
        self.text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for paragraph in self.text.split("\n", allow_blank=True):
            paragraph.expand_tabs(4)
            for line in paragraph.divide(list(breaks(paragraph.plain, options.max_width))):
                line.rstrip()
                yield line

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        longest = max(map(cell_len, self.text.plain.split("\n")))
        return Measurement(min(2, options.max_width), max(2, min(longest, options.max_width)))


def breaks(text: str, width: int) -> Iterator[int]:
    """Where lines of at most `width` cells begin, the first left out; a word longer than a line is cut."""
    begin = allowed = cells = 0
    for at, char in enumerate(text):
        if at > begin and _may_break(text, at):
            allowed = at
        size = cell_len(char)
        # A space at the end of a line needs no room.
        if cells + size > width and at > begin and char != " ":
            begin = allowed if allowed > begin else at
            yield begin
            cells = cell_len(text[begin:at])
        cells += size


def _may_break(text: str, at: int) -> bool:
    """Whether a line may begin at a character: after a space, or beside a wide one."""
    before, after = text[at - 1], text[at]
    if after == " " or after in _CLOSING or before in _OPENING:
        return False
    return before == " " or cell_len(before) == 2 or cell_len(after) == 2


def indented(shown: RenderableType) -> Padding:
    """What belongs to the line above it."""
    return Padding(shown, (0, 0, 0, 3), expand=False)


def labelled(label: str, *lines: Text, style: str = "dim") -> Table:
    """A label, and beside it what it labels, however many lines that takes."""
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(width=_LABEL_WIDTH, no_wrap=True)
    table.add_column()
    for number, line in enumerate(lines):
        table.add_row(Text("" if number else label, style=style), Prose(line))
    return table
