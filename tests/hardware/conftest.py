"""Drawings and parts need the optional group `hardware`; without it these tests are skipped."""

from importlib.util import find_spec

import pytest

NEEDED = ("manifold3d", "reportlab", "trimesh", "wireviz", "yaml")


class Unusable(pytest.Module):
    """A file of tests that is not even imported."""

    def collect(self):
        pytest.skip(
            "the optional group 'hardware' of pyproject.toml is not installed", allow_module_level=True
        )


def pytest_pycollect_makemodule(module_path, parent):
    if all(map(find_spec, NEEDED)):
        return None
    return Unusable.from_parent(parent, path=module_path)
