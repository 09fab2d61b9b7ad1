"""What only the built table can tell about its frame, its light and its tower; each trial says how it goes.

Those of the tower's electronics stand in tests/devices/test_tower_on_the_table.py, of the camera's exposure
and lens in tests/devices/test_pi_camera.py.

Wiring throughout: as hardware/BUILD.md has it, the table's own supplies, nothing else plugged in.
"""

import pytest


@pytest.mark.skip(reason="needs the varnished board under the gantry's ring light")
def test_hardware_the_ring_does_not_glare():
    """Calibrate with the ring alone on, in the dark: no white square is burnt out but those of home.

    If others are: a second coat of matt varnish; only then polarising film.
    """


@pytest.mark.skip(reason="needs the board camera on its 500 mm cable beside a transmitter for a day")
def test_hardware_the_camera_cable_holds_for_a_day():
    """24 hours at ten frames a second, a transmitter keyed beside the column every hour: no frame lost."""


@pytest.mark.skip(reason="needs the gantry on its table, struck by hand")
def test_hardware_a_struck_table_does_not_shift_the_picture():
    """Strike the table a hundred times: after a second the board lies within a pixel of where it lay."""


@pytest.mark.skip(reason="needs the printed dice tower and three sets of 16 mm dice")
def test_hardware_dice_come_out_and_lie_flat():
    """A thousand throws of two dice: none sticks, none leaves the tray, fewer than 5 in 100 lie cocked.

    Above that, change the floor, the walls (`tray_wall_mm`) or the last ramp (`exit_deg`).
    """


@pytest.mark.skip(
    reason="needs a Raspberry Pi 4 with both cameras in its closed box at 35 °C, for four hours"
)
def test_hardware_a_pi_4_keeps_ten_frames_a_second():
    """Board camera on the ribbon, tray camera and Pico on the hub: a match is refereed all the while.

    `uckers-table doctor` says ten frames a second before and after; `vcgencmd get_throttled` says 0x0.
    """


@pytest.mark.skip(reason="needs the whole table on its own supply, and somebody who pulls the plug 200 times")
def test_hardware_a_pulled_plug_loses_no_record():
    """Pull the 27 W supply in the middle of a throw, a play, an accusation, fifty times each.

    After each start the match goes on where it was: every throw that was said aloud is in the record, once.
    """


@pytest.mark.skip(
    reason="needs the three panels: SDA on header pin 3, SCL on 5, 3.3 V on 1, ground on 6, a lead of 0.3 m"
)
def test_hardware_the_pages_can_be_read_from_as_far_as_they_say():
    """Show each page of docs/display.md: somebody at the distance in brackets reads its largest line out."""
