"""A net's weights as an ONNX file, and back. `uckers_table.vision.nets.net` runs these files.

Weights go by their layers' names: `conv0` (outputs, inputs, 3, 3), `bias0` and so on, then `inner`,
`inner_bias`, `outer` and `outer_bias`. They are stored in half precision and cast when the file is read:
the file is half as large, and any program runs the net in single precision.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, checker, helper, numpy_helper

Weights = dict[str, npt.NDArray[np.float16]]

OPSET, IR = 13, 7
"""Of 2020: OpenCV 4.8, the oldest that the package runs on, reads it, and so does whatever is newer."""
ABOUT = {
    "author": "the uckers-table project",
    "licence": "MIT",
    "learned from": "this project's own renders and pictures, named in tools/fits/data.toml",
}


def write(
    file: Path, weights: Mapping[str, npt.NDArray[np.float16]], sees: Sequence[int], strides: Sequence[int]
) -> None:
    """Writes a net that sees patches of this shape (channels, rows, columns): convolutions with these
    strides, then two layers of all with all.
    """
    nodes = [helper.make_node("Cast", [name], [f"{name}_single"], to=TensorProto.FLOAT) for name in weights]
    here = "seen"
    for k, stride in enumerate(strides):
        layer = [here, f"conv{k}_single", f"bias{k}_single"]
        nodes += [
            helper.make_node(
                "Conv", layer, [f"sum{k}"], kernel_shape=[3, 3], pads=[1] * 4, strides=[stride] * 2
            ),
            helper.make_node("Relu", [f"sum{k}"], [f"layer{k}"]),
        ]
        here = f"layer{k}"
    nodes += [
        helper.make_node("Flatten", [here], ["flat"], axis=1),
        helper.make_node("Gemm", ["flat", "inner_single", "inner_bias_single"], ["inner_sum"], transB=1),
        helper.make_node("Relu", ["inner_sum"], ["inner_layer"]),
        helper.make_node("Gemm", ["inner_layer", "outer_single", "outer_bias_single"], ["said"], transB=1),
    ]
    graph = helper.make_graph(
        nodes,
        file.stem,
        [helper.make_tensor_value_info("seen", TensorProto.FLOAT, ["patches", *sees])],
        [helper.make_tensor_value_info("said", TensorProto.FLOAT, ["patches", len(weights["outer_bias"])])],
        [numpy_helper.from_array(values.astype(np.float16), name) for name, values in weights.items()],
    )
    model = helper.make_model(
        graph, producer_name="tools.fit", ir_version=IR, opset_imports=[helper.make_opsetid("", OPSET)]
    )
    helper.set_model_props(model, ABOUT)
    checker.check_model(model, full_check=True)
    onnx.save(model, str(file))


def read(file: Path) -> Weights:
    """The weights of a file that `write` wrote."""
    graph = onnx.load(str(file)).graph
    return {each.name: numpy_helper.to_array(each).astype(np.float16) for each in graph.initializer}
