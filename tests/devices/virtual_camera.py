"""Our camera on libcamera's virtual one: run by test_pi_camera_virtual.py, with the picamera2 that is there.

    virtual_camera.py NUMBER

prints one JSON object with what was chosen and, for each of so many frames, its time, its shape, the mean of
its blue, green and red, and whether it is the same picture as the one before.
"""

import json
import sys

import picamera2.picamera2 as library
from libcamera import StreamRole
from picamera2 import Picamera2
from picamera2.allocators import LibcameraAllocator

from uckers_table.devices.pi_camera import Picamera2Camera

# There are no dma heaps where there is no camera.
library.DmaAllocator = lambda: LibcameraAllocator(None)


class Virtual(Picamera2):
    """The virtual camera has no raw pictures to choose a mode by."""

    def _get_raw_modes(self):
        formats = self.camera.generate_configuration([StreamRole.Viewfinder]).at(0).formats
        return [
            {"format": str(pixels), "size": (size.width, size.height)}
            for pixels in formats.pixel_formats
            for size in formats.sizes(pixels)
        ]


def opened():
    camera = Virtual()
    camera.allocator.camera = camera.camera
    return camera


def main(number):
    camera = Picamera2Camera(size=(720, 432), open_camera=opened)
    frames, before = [], None
    for _ in range(number):
        frame = camera.read()
        means = [round(float(mean), 1) for mean in frame.image.reshape(-1, 3).mean(axis=0)]
        frames.append([frame.t, list(frame.image.shape), means, frame.image is before])
        before = frame.image
    camera.close()
    camera.close()
    print(json.dumps({"format": camera._format, "has_small": camera._has_small, "frames": frames}))


if __name__ == "__main__":
    main(int(sys.argv[1]))
