"""The nets' files say what OpenCV makes of them, for any number of patches and from any thread."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision import onnx_by_hand
from uckers_table.vision.dice import dice_net
from uckers_table.vision.hands import hand_net
from uckers_table.vision.nets import net as nets
from uckers_table.vision.nets.net import Net
from uckers_table.vision.pieces import disc_net, stack_net

FOLDER = Path(nets.__file__).parent
FINE, COARSE = stack_net.FINE, stack_net.COARSE
SEEN = {
    "dice_net.onnx": (8, dice_net.SIZE, dice_net.SIZE),
    "disc_net.onnx": disc_net.SHAPE,
    "hand_net.onnx": (hand_net.CHANNELS, hand_net.SIZE, hand_net.SIZE),
    "stack_net.onnx": (stack_net.CHANNELS, COARSE.long, COARSE.wide),
    "stack_net_fine.onnx": (stack_net.CHANNELS, FINE.long, FINE.wide),
}
SAID = {
    "dice_net.onnx": dice_net.CLASSES + 2,
    "disc_net.onnx": disc_net.OUTPUTS,
    "hand_net.onnx": hand_net.OUTPUTS,
    "stack_net.onnx": stack_net.OUTPUTS,
    "stack_net_fine.onnx": stack_net.OUTPUTS,
}


def patches(file: str, count: int):
    """Patches of noise, darker and lighter ones."""
    draw = np.random.default_rng(count)
    levels = draw.uniform(0, 1.2, (count, 1, 1, 1))
    return (levels * draw.uniform(0.5, 1.5, (count, *SEEN[file]))).astype(np.float32)


def test_each_file_is_one_that_is_tested_here():
    assert sorted(SEEN) == sorted(path.name for path in FOLDER.glob("*.onnx"))


@pytest.mark.parametrize("file", SEEN)
def test_a_file_tells_what_its_net_sees_and_how_much_it_says(file):
    assert list(onnx_by_hand.shapes((FOLDER / file).read_bytes())) == [SEEN[file], (SAID[file],)]


@pytest.mark.parametrize("count", [1, 2, 5, 40])
@pytest.mark.parametrize("file", SEEN)
def test_a_net_says_what_its_file_makes_of_the_patches(file, count):
    seen = patches(file, count)
    said = Net(file).say(seen)
    assert said.dtype == np.float64
    assert said == pytest.approx(onnx_by_hand.say((FOLDER / file).read_bytes(), seen), abs=1e-4)


@pytest.mark.parametrize("file", SEEN)
def test_of_no_patches_a_net_says_nothing_as_wide_as_ever(file):
    assert Net(file).say(patches(file, 0)).shape == (0, SAID[file])


def test_what_a_net_says_of_a_patch_does_not_depend_on_the_others():
    seen = patches("disc_net.onnx", 7)
    net = Net("disc_net.onnx")
    together = net.say(seen)
    assert (np.concatenate([net.say(seen[k : k + 1]) for k in range(6, -1, -1)])[::-1] == together).all()
    assert (net.say(np.asfortranarray(seen)[:, :, ::-1, ::-1][:, :, ::-1, ::-1]) == together).all()


def test_what_nets_say_does_not_depend_on_how_many_threads_opencv_has():
    seen = patches("stack_net_fine.onnx", 3)
    before = cv2.getNumThreads()
    try:
        cv2.setNumThreads(1)
        by_one = Net("stack_net_fine.onnx").say(seen)
        cv2.setNumThreads(4)
        assert (Net("stack_net_fine.onnx").say(seen) == by_one).all()
    finally:
        cv2.setNumThreads(before)


def test_several_threads_may_ask_the_same_nets():
    own = {
        file: [patches(file, count) for count in (1, 2, 3, 4)] for file in ("hand_net.onnx", "stack_net.onnx")
    }
    said = {file: [Net(file).say(seen) for seen in each] for file, each in own.items()}
    shared = {file: Net(file) for file in own}

    def asks(k: int) -> bool:
        return all(
            (shared[file].say(own[file][k % 4]) == said[file][k % 4]).all() for _ in range(10) for file in own
        )

    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(asks, range(8)))


def test_a_net_is_read_when_it_is_asked_and_not_before():
    with pytest.raises(cv2.error):
        Net("none.onnx").say(np.zeros((1, 1, 8, 8), dtype=np.float32))
    code = (
        "import cv2; cv2.dnn.readNetFromONNX = None\n"
        "import uckers_table.vision.reader, uckers_table.vision.live"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
