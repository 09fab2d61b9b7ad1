"""The game and the values that vision gives need nothing but Python, so that they run anywhere."""

import subprocess
import sys

from tests.patience import HANGS_S

BLOCKER = """
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"numpy", "cv2", "PIL", "gpiozero", "serial", "luma", "rich", "smbus2"}:
            raise ImportError(f"{name} is not for the game")

sys.meta_path.insert(0, Refuse())
try:
    import numpy
except ImportError:
    pass
else:
    sys.exit("the blocker does not block")

import uckers_table.game.match, uckers_table.game.scenario, uckers_table.game.rules
import uckers_table.sighting, uckers_table.referee.referee, uckers_table.announce.sentences
import uckers_table.commands.cli
uckers_table.game.rules.load_rules("br4006")
"""


def test_game_referee_and_command_line_need_no_other_package():
    done = subprocess.run([sys.executable, "-c", BLOCKER], capture_output=True, text=True, timeout=HANGS_S)
    assert (done.returncode, done.stderr) == (0, "")
