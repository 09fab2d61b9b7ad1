"""The host: its clock, health, network, log and users. It knows no Uckers."""
