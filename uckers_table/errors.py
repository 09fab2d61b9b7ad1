"""What can go wrong for reasons that are not a player's mistake.

    UckersTableError
    ├── InputError (ValueError)      a file or an argument cannot be used: exit status 2
    │   ├── RulesError               a rule set, an option or a scenario makes no sense
    │   ├── RecordingError           a recording is torn or wrong
    │   ├── ProfileError             a table profile is wrong, or made for another camera
    │   └── ConfigError              the configuration file
    ├── CalibrationError             the pictures do not show what is needed
    │   ├── NotBareError             pieces stand on the one that should show the bare board
    │   ├── StrangePieceError        a piece's paint is none of the seats'
    │   └── UnknownTurnError         they do not show which way round the board lies
    ├── DeviceError (OSError)        a device is absent, lost or refuses
    │   └── HungError                a call to it has not returned in time
    ├── ProtocolError (ValueError)   the dice tower's line carried something else
    └── RecordError                  the match record cannot be opened or written
        ├── UnreadError              one of its files cannot be read now
        ├── SenselessError           what it says of one match makes no sense
        ├── FilmError                a film of a match is not drawn
        └── DamagedRecordError       its file is no sound database any more

A player's mistake is never an exception: it is a ruling. The text of each error is one line that
says what, where and what to try, because the command line prints it as it is.
"""

from collections.abc import Mapping

COMES_WITH_IT = "it comes with the program: install that again (sudo ./install.sh)"
"""What to try where a package is missing. On a table nobody installs any by himself."""


class UckersTableError(Exception):
    """The root of all errors raised on purpose."""


class InputError(UckersTableError, ValueError):
    """Something given from outside cannot be used."""


class RulesError(InputError):
    """A rule set, an option, a position or a scenario makes no sense."""


class RecordingError(InputError):
    """A recording is torn or wrong."""


class ProfileError(InputError):
    """A table profile is wrong, or was made for another camera size."""


class ConfigError(InputError):
    """The configuration is wrong, in its `key` (dotted where it is in a table) if that can be told."""

    def __init__(self, line: str, key: str = "") -> None:
        super().__init__(line)
        self.key = key


class CalibrationError(UckersTableError):
    """The pictures given to calibrate from do not show what is needed."""

    def reworded(self, words: Mapping[str, str]) -> str:
        """The message for whoever has no command line: with these `words` for its options, in their order."""
        text = str(self)
        for option, instead in words.items():
            text = text.replace(option, instead)
        return text


class NotBareError(CalibrationError):
    """Pieces stand on the picture that should show the bare board."""


class StrangePieceError(CalibrationError):
    """A piece in the base of `seat` has a `paint` that is no seat's: somebody has to say whose it is."""

    def __init__(self, line: str, seat: str, paint: str) -> None:
        super().__init__(line)
        self.seat, self.paint = seat, paint


class UnknownTurnError(CalibrationError):
    """The pictures do not show which way round the board lies: somebody has to say it."""


class DeviceError(UckersTableError, OSError):
    """A device is absent, lost or refuses to work."""


class HungError(DeviceError):
    """A call to a device has not returned in time."""


class ProtocolError(UckersTableError, ValueError):
    """A line of the dice-tower protocol that cannot be right."""


class RecordError(UckersTableError):
    """The match record cannot be opened or written."""


class UnreadError(RecordError):
    """A file of the record cannot be read now. That says nothing of what is in it."""


class SenselessError(RecordError):
    """What the record says of one match makes no sense. The others are as ever."""


class FilmError(RecordError):
    """A film of a match is not drawn. The line names no file, and anybody may read it."""


class DamagedRecordError(RecordError):
    """The match record's file is damaged; what can be done about it is in `record.mending`."""
