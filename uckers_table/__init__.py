"""The referee for a physical Uckers board."""

__version__ = "0.1.0"
