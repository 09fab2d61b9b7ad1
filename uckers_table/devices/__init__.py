"""Camera, dice tower, button box, display, voice: one small interface each, real and simulated backends."""
