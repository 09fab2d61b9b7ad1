"""What the referee makes of simulated matches whose truth the simulator alone knows; figures to publish."""
