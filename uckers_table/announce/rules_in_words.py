"""A rule set in a player's words, line by line, each with who says so.

The words are data, in `rules_in_words.toml` beside this module, which explains its own shape. Here they are
chosen for one rule set: what makes no sense in it is left out, and each line is given the source of the
value in force: the set's own text, a variation, a house rule, or a ruling where the text is silent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from uckers_table.foreign.documents import toml_from
from uckers_table.game.options import OPTIONS, SWITCHES, RuleSet, Value
from uckers_table.game.rules import load_rules, origin_of
from uckers_table.game.typed_rules import typed_rules

_ALWAYS = "always"
_ANY = "any"
_VARIATIONS = "VAR"

Condition = Mapping[str, tuple[str, ...]]
"""Options and the values, as spoken, of which they must have one."""


@dataclass(frozen=True)
class Words:
    """A sentence or two, and who says so: each a text's short name and a place in it."""

    text: str
    says: tuple[str, ...]


@dataclass(frozen=True)
class RuleEntry:
    """One rule in all its values: by value as spoken, or under `always` where there is no choice."""

    section: str
    ludo_section: str
    option: str | None
    fixed: tuple[str, ...]
    section_when: Condition
    when: tuple[Condition, ...]
    quiet: bool
    warns: bool
    ruling: str | None
    words: Mapping[str, Words]

    @property
    def key(self) -> tuple[str, str]:
        """Tells which rule this is: entries with one key word the same rule for different sets."""
        return self.section, self.option or (*self.fixed, self.words[_ALWAYS].text)[0]


@dataclass(frozen=True)
class Book:
    """All that the words' file holds: the entries, the sets in one line each, the names of the texts."""

    entries: tuple[RuleEntry, ...]
    known_by: Mapping[str, str]
    texts_of: Mapping[str, tuple[str, ...]]
    text_names: Mapping[str, str]


@dataclass(frozen=True)
class Known:
    """A set in one line."""

    name: str
    source: str
    dice: int
    known_by: str


OWN_SET = "A set of this mess's own."
"""What a set that is none of this program's is known by."""


@dataclass(frozen=True)
class Edition:
    """A rule set about to be put into words.

    `known_by` is empty for a set changed by variations or house rules. `ours` is the set of this program
    that it is or lies on, as that stands without them; `texts` are the short names of the texts that this
    goes by; `letters` are the variations added to it.
    """

    name: str
    source: str
    known_by: str
    rules: RuleSet
    ours: RuleSet
    texts: tuple[str, ...]
    letters: str


@dataclass(frozen=True)
class RuleLine:
    """One rule of a set. `option` and its `value` are None where there is no choice.

    `warns` tells that it says what can go wrong with the set.
    """

    section: str
    text: str
    source: str
    option: str | None
    value: Value | None
    warns: bool = False


@dataclass(frozen=True)
class Difference:
    """What two sets make of one rule; None where it makes no sense in one of them."""

    section: str
    left: RuleLine | None
    right: RuleLine | None


@dataclass(frozen=True)
class RuleChoice:
    """A rule that a mess can choose: what it is now, what it usually is, and each of its values in words."""

    section: str
    option: str
    value: Value
    usual: Value
    words: Mapping[Value, str]


@cache
def book() -> Book:
    """The words' file."""
    data = toml_from((files("uckers_table.announce") / "rules_in_words.toml").read_text("utf-8"))
    return Book(
        entries=tuple(_entry(section, each) for section in data["section"] for each in section["line"]),
        known_by={each["name"]: each["known_by"] for each in data["set"]},
        texts_of={each["name"]: tuple(each["texts"]) for each in data["set"]},
        text_names=data["texts"],
    )


def _entry(section: Mapping[str, Any], data: Mapping[str, Any]) -> RuleEntry:
    when = data.get("when", {})
    words = {_ALWAYS: data[_ALWAYS]} if _ALWAYS in data else data["is"]
    return RuleEntry(
        section=section["name"],
        ludo_section=section.get("ludo", section["name"]),
        option=data.get("option"),
        fixed=tuple(data.get("rule", ())),
        section_when=_condition(section.get("when", {})),
        when=tuple(map(_condition, when if isinstance(when, list) else [when])),
        quiet=data.get("quiet", False),
        warns=data.get("warns", False),
        ruling=data.get("ruling"),
        words={
            value: Words(text, tuple(says.split(", ")) if says else ())
            for value, (text, says) in words.items()
        },
    )


def _condition(data: Mapping[str, Any]) -> Condition:
    return {
        option: tuple(map(spoken_value, values if isinstance(values, list) else [values]))
        for option, values in data.items()
    }


def known_sets() -> tuple[Known, ...]:
    """The sets of this program, those of the Navy first."""
    return tuple(
        Known(name, origin_of(name)[0], load_rules(name).dice_per_throw, known_by)
        for name, known_by in book().known_by.items()
    )


def spoken_value(value: object) -> str:
    """A value as the words' file and people write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def edition(typed: str, options: Sequence[str] = ()) -> Edition:
    """The rule set that somebody typed (see `typed_rules`); RulesError where there is no such thing."""
    name, changed = typed_rules(typed, options)
    rules = load_rules(name, changed)
    source, below = origin_of(name)
    ours = load_rules(below) if below else RuleSet()
    letters = "".join(
        switch[-1].upper() for switch, values in SWITCHES.items() if _is_added(values, rules, ours)
    )
    changes = (
        option if value is True and option in SWITCHES else f"{option}={spoken_value(value)}"
        for option, value in changed.items()
    )
    return Edition(
        name="+".join([Path(name).stem if name.endswith(".toml") else name, *changes]),
        source=_provenance(source, below if below != name else None, letters),
        known_by=book().known_by.get(name, "") if not changed else "",
        rules=rules,
        ours=ours,
        texts=book().texts_of[below] if below else (),
        letters=letters,
    )


def _is_added(values: Mapping[str, Value], rules: RuleSet, ours: RuleSet) -> bool:
    """Whether all of a variation holds in the rules, and not all of it did without."""
    return all(getattr(rules, option) == value for option, value in values.items()) and any(
        getattr(ours, option) != value for option, value in values.items()
    )


def _provenance(source: str, below: str | None, letters: str) -> str:
    parts = [source] if source else []
    if below:
        parts.append(f"on top of {below}")
    if letters:
        parts.append(f"with variation{'s' if letters[1:] else ''} {', '.join(letters)}")
    return ", ".join(parts)


def rule_lines(edition: Edition, *, unsaid: bool = False) -> tuple[RuleLine, ...]:
    """The set's rules in the order in which a player thinks of them.

    `unsaid` adds the usual value of rules that the set's own texts never think of.
    """
    return tuple(
        _line(entry, edition)
        for entry in book().entries
        if _applies(entry, edition.rules) and (unsaid or not entry.quiet or _is_remarkable(entry, edition))
    )


def rule_line(edition: Edition, names: Sequence[str]) -> RuleLine | None:
    """The first of some rules, each by its option or a name, that makes sense in a set; None where none."""
    for name in names:
        for entry in book().entries:
            if (name == entry.option or name in entry.fixed) and _applies(entry, edition.rules):
                return _line(entry, edition)
    return None


def rule_warnings(rules: RuleSet) -> tuple[str, ...]:
    """What can go wrong with a set, a sentence or two each: said wherever it is chosen. Mostly empty."""
    return tuple(
        entry.words[_ALWAYS].text for entry in book().entries if entry.warns and _applies(entry, rules)
    )


def rule_differences(left: Edition, right: Edition) -> tuple[Difference, ...]:
    """The rules that two sets put in different words, in the order of the rules."""
    sides = [
        {entry.key: _line(entry, each) for entry in book().entries if _applies(entry, each.rules)}
        for each in (left, right)
    ]
    both_ludo = all(each.rules.dice_per_throw == 1 for each in (left, right))
    found = {}
    for entry in book().entries:
        one, other = (side.get(entry.key) for side in sides)
        if (one and one.text) != (other and other.text):
            found[entry.key] = Difference(entry.ludo_section if both_ludo else entry.section, one, other)
    return tuple(found.values())


def rule_choices(usual: Edition, played: Edition) -> tuple[RuleChoice, ...]:
    """The rules that can be chosen one by one in a set as it is played, in the order of the rules.

    A rule that makes no sense beside the others is left out. `usual` is the set without what was chosen.
    """
    is_ludo = played.rules.dice_per_throw == 1
    found = {}
    for entry in book().entries:
        option = entry.option
        if option is None or option in found or not _applies(entry, played.rules):
            continue
        value: Value = getattr(played.rules, option)
        # Some values mean the same in some sets: then the one in force has the words.
        by_words = {option_in_words(option, each, played.rules): each for each in (*OPTIONS[option], value)}
        found[option] = RuleChoice(
            entry.ludo_section if is_ludo else entry.section,
            option,
            value,
            getattr(usual.rules, option),
            {each: words for words, each in by_words.items()},
        )
    return tuple(each for each in found.values() if len(each.words) > 1)


def option_in_words(option: str, value: Value, rules: RuleSet) -> str:
    """What an option with this value means beside the other rules of a set."""
    changed: Mapping[str, Any] = {option: value}
    chosen, spoken = replace(rules, **changed), spoken_value(value)
    worded = [each for each in book().entries if each.option == option and each.words.keys() & {spoken, _ANY}]
    entry = next((each for each in worded if _applies(each, chosen)), worded[0])
    words = entry.words.get(spoken) or entry.words[_ANY]
    return words.text.replace("{value}", spoken)


def _applies(entry: RuleEntry, rules: RuleSet) -> bool:
    return _holds(entry.section_when, rules) and any(_holds(each, rules) for each in entry.when)


def _holds(condition: Condition, rules: RuleSet) -> bool:
    return all(spoken_value(getattr(rules, option)) in values for option, values in condition.items())


def _is_remarkable(entry: RuleEntry, edition: Edition) -> bool:
    """Whether a quiet line has something to say: the set speaks of it, or its value is not the usual one."""
    assert entry.option is not None
    words, value = _words(entry, edition)
    return value != OPTIONS[entry.option][0] or bool(_own(words.says, edition))


def _words(entry: RuleEntry, edition: Edition) -> tuple[Words, Value | None]:
    if entry.option is None:
        return entry.words[_ALWAYS], None
    value: Value = getattr(edition.rules, entry.option)
    return entry.words.get(spoken_value(value)) or entry.words[_ANY], value


def _line(entry: RuleEntry, edition: Edition) -> RuleLine:
    words, value = _words(entry, edition)
    return RuleLine(
        section=entry.ludo_section if edition.rules.dice_per_throw == 1 else entry.section,
        text=words.text.replace("{value}", spoken_value(value)),
        source=_source(entry, words.says, edition),
        option=entry.option,
        value=value,
        warns=entry.warns,
    )


def _source(entry: RuleEntry, says: Sequence[str], edition: Edition) -> str:
    """Where the words in force come from."""
    own = _own(says, edition)
    variations = [each for each in says if _text(each) == _VARIATIONS and _place(each)[0] in edition.letters]
    if entry.option and getattr(edition.rules, entry.option) != getattr(edition.ours, entry.option):
        elsewhere = next(iter([*own, *says]), None)
        return ", ".join(variations) or ("house rule" + (f", as {elsewhere}" if elsewhere else ""))
    if own or variations:
        return ", ".join(own or variations)
    if entry.ruling:
        return f"silent; ruling {entry.ruling}"
    elsewhere = next((each for each in says if _text(each) != _VARIATIONS), None)
    return f"silent; as {elsewhere}" if elsewhere else "silent; our ruling"


def _own(says: Sequence[str], edition: Edition) -> list[str]:
    """What the set's own texts say, the first text first."""
    return [each for text in edition.texts for each in says if _text(each) == text]


def _text(says: str) -> str:
    return says.partition(" ")[0]


def _place(says: str) -> str:
    return says.partition(" ")[2]
