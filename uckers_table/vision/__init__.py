"""From a camera frame to a sighting: table profile, calibration, pieces, dice. No device, no clock."""
