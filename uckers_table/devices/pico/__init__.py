"""What the dice tower's Raspberry Pi Pico and the host both run, so that they always agree.

Everything here stays in the part of Python that MicroPython shares, imports nothing but its neighbours in
this folder, and touches no pin, port or clock: times and readings are arguments. `uckers-table tower
install` copies the folder onto the Pico; the simulated tower and the tests run it under plain Python.
"""
