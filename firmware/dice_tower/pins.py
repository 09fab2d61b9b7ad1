"""Which pin of the dice tower's Raspberry Pi Pico does what: the one place that wiring, documents and
firmware read. Numbers are the Pico's GPIO numbers (GP0 …), not those of its legs.

GP0 and GP1 are kept free for a debugger's serial line. On a Pico W, GP23 belongs to the radio: leave
QUIET_SUPPLY out there.
"""

IN_BEAM = 2
"""Receiver of the beam that dice fall through: open collector, pulled up to 3.3 V here; low is dark."""
OUT_BEAM = 3
"""The same where dice leave for the tray, or for the pockets of the array."""
STACK_BEAM = 4
"""Array only: the beam across the pockets, 17.5 mm above their floor: dark while a die lies on another."""
TRAY_LAMP = 5
"""Gate of the MOSFET in the lamp's ground lead: high is lit."""

READOUT_CS = 17
READOUT_SCK = 18
READOUT_MOSI = 19
"""The MAX7219, through a 74AHCT125 at 5 V: the Pico's high level is too low for it. SPI 0."""

LAMP_MONITOR = {"tray": 26, "array": 28}
"""Converter input across the resistor in the lamp's lead; the array needs GP26 for its sensors."""
QUIET_SUPPLY = 23
"""High before converting: the Pico's supply then ripples less."""

ARRAY_SELECT = (6, 7, 8, 9)
"""S0 to S3 of both CD74HC4067, shared."""
ARRAY_SENSORS = (26, 27)
"""The multiplexers' common pins, one for each pocket, each with 10 kΩ to ground."""
EMITTER_SCK = 10
EMITTER_DATA = 11
EMITTER_LATCH = 12
"""Three 74HC595 in a row, SPI 1: one output for each emitter, of which one at a time is lit."""

SENSORS = 9
WHITE_CHANNEL, DARK_CHANNEL, AMBIENT_CHANNEL = 9, 10, 11
"""Of each multiplexer: channels 0 to 8 are the pocket's sensors, row by row as seen from above; then the
sensor that looks at a white patch, the one that looks at a black patch, and the one whose emitter is not
fitted."""
EMITTERS_A_POCKET = 11
"""The first 74HC595 outputs are pocket 0's sensors, its white and its dark reference; then pocket 1's."""
