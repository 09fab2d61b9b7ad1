"""The camera above a simulated table as the reader's own, exactly where it is: nothing need be calibrated."""

import cv2

from uckers_table.simulator.render import Renderer
from uckers_table.vision.place.camera import CameraModel


def camera_of(renderer: Renderer) -> CameraModel:
    """The one that takes a renderer's pictures."""
    view = renderer.view
    middle_px = (view.width - 1) / 2, (view.height - 1) / 2
    lens = CameraModel(view.width, view.height, view.focal_px, *middle_px, view.k1, (0.0,) * 3, (0.0,) * 3)
    return lens.moved(cv2.Rodrigues(view.rotation)[0], view.translation)
