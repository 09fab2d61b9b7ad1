"""Renders labelled pictures of tables that the eyes have never seen: `python -m tools.tables OUT P1 K2 …`.

README.md says how. Rendering needs `bpy` (Blender as a Python module); everything else here does without.
"""
