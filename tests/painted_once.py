"""A bare table that is painted twice need not be painted anew: that is most of what a `Renderer` does."""

from dataclasses import replace

from uckers_table.simulator.render import Renderer

KEPT = 8
"""Tables that are kept, those that were asked for last: the largest takes 36 megabytes."""
_PAINTED = {}
paint_table = Renderer._paint_table


def painted_once(renderer, light, seed):
    """What `Renderer._paint_table` paints of the same board and look, by the same camera. It is read-only."""
    nobody = replace(renderer.look, skin=(0, 0, 0), sleeve=(0, 0, 0))
    key = repr((renderer.plan, nobody, renderer.view, seed))
    table = _PAINTED.pop(key, None)
    if table is None:
        table = paint_table(renderer, light, seed)
        table.flags.writeable = False
    _PAINTED[key] = table
    if len(_PAINTED) > KEPT:
        del _PAINTED[next(iter(_PAINTED))]
    return table
