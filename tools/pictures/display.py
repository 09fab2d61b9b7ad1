"""docs/display.png: all pages of the display on a sheet. docs/display.md: how high their letters are."""

from __future__ import annotations

from collections.abc import Mapping

from PIL import Image

from uckers_table.announce.oled import MM_A_METRE, PANELS, SIZE, Headline, Screen, draw, letters
from uckers_table.commands.doctor import TEST_PAGE
from uckers_table.machine.messages import Invitation, Joining, Message
from uckers_table.table.dice_by_hand import DiceByHand
from uckers_table.table.loop import SWITCHING_OFF

LONGEST = (
    "Check five on from green's doorstep and five short of blue's mouth. Right as it stands: press done."
)

PAGES: Mapping[str, Screen] = {
    "idle": Invitation("http://192.168.4.1:8080", "482755"),
    "idle_long_pin": Invitation("http://192.168.4.100:8080", "482755019326"),
    "joining": Joining("Uckers table", "mw4kqgdjy7"),
    "idle_without_pin": Invitation("http://uckers.local"),
    "throw_off": Headline("RED", "to throw", "for start"),
    "to_throw": Headline("GREEN", "to throw"),
    "passed": Headline("GREEN", "to throw", "red: green's blob"),
    "throw": Headline("YELLOW", "6 and 3", "1 more throw"),
    "double": Headline("BLUE", "double 4"),
    "challenge_1": Headline("BLUE", "1 of 3", "two sixes wanted"),
    "challenge_2": Headline("BLUE", "2 of 3", "One six: touch wood"),
    "last_warning": Headline("GREEN", "to throw", "next fault: all to base"),
    "winner": Headline("RED + YELLOW", "won", "eight piecer"),
    "illegal": Message("ILLEGAL", "Red moved 7; the dice said 6 and 2."),
    "timber_shift": Message("TIMBER SHIFT", "Yellow, two on from green's doorstep. Put it two back."),
    "question": Message("IS IT RIGHT?", LONGEST),
    "which_one": Message("WHICH ONE?", "3 suckback, 5 suckback"),
    "what_dice": DiceByHand(()).page() or Message("", ""),
    "out_of_step": Message(
        "OUT OF STEP", "Two pieces are not where I left them. Press done to take it as it stands."
    ),
    "cannot_see": Message("I CAN'T SEE", "I can't tell the colours. Press the buttons, or wait."),
    "lost": Message("TOWER LOST", "Tower lost. Dice from the camera."),
    "switching_off": SWITCHING_OFF,
    "test": TEST_PAGE,
}


def document() -> str:
    """docs/display.md: each page, and how high the capitals of its highest and lowest line are."""
    panels = " | ".join(f'{panel.inches}" ({panel.chip.upper()})' for panel in PANELS)
    lines = [
        "# What the display shows",
        "",
        "Made by `make pictures` from the pages themselves.",
        "The table has the capitals of each page's largest and smallest line, in millimetres, on the three",
        "panels that the program knows. In brackets are the metres from which the largest can be read:",
        f"letters want {MM_A_METRE:.0f} mm for each metre. On the largest panel, whose throw it is, counts",
        "and the winner can be read across a table. The voice says the sentences too. They can be read from",
        "a metre on that panel, and from close by on the others. Not yet tried on hardware.",
        "",
        "![All pages](display.png)",
        "",
        f"| page | {panels} |",
        "| --- |" + " --- |" * len(PANELS),
    ]
    for name, screen in PAGES.items():
        rows = [px for _, px in letters(screen)]
        sizes = [(panel.mm(max(rows)), panel.mm(min(rows))) for panel in PANELS]
        cells = [f"{high:.1f} and {low:.1f} ({high / MM_A_METRE:.1f} m)" for high, low in sizes]
        lines.append(f"| {name.replace('_', ' ')} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def contact_sheet(columns: int = 3, scale: int = 2, gap: int = 6) -> Image.Image:
    """All pages in one picture, in the order of the table."""
    width, height = SIZE[0] * scale + gap, SIZE[1] * scale + gap
    sheet = Image.new("L", (columns * width + gap, -(-len(PAGES) // columns) * height + gap), 90)
    for number, screen in enumerate(PAGES.values()):
        page = draw(screen).convert("L").resize((SIZE[0] * scale, SIZE[1] * scale), Image.Resampling.NEAREST)
        row, column = divmod(number, columns)
        sheet.paste(page, (gap + column * width, gap + row * height))
    return sheet
