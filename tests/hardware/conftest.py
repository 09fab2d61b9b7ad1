"""Drawings and parts need the optional group `hardware`; without it these tests are skipped."""

import pytest

for needed in ("manifold3d", "reportlab", "trimesh", "wireviz", "yaml"):
    pytest.importorskip(needed, reason="the optional group 'hardware' of pyproject.toml is not installed")
