"""ONNX files read and run without OpenCV and without `onnx`: another opinion of what a net's file says."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

FLOAT, HALF = 1, 10
"""Kinds of a tensor's values."""


def fields(data):
    """The fields of a protobuf message: their numbers, and integers or bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        number, kind = divmod(varint(), 8)
        if kind == 0:
            yield number, varint()
        else:
            size = varint() if kind == 2 else {1: 8, 5: 4}[kind]
            at += size
            yield number, data[at - size : at]


def of(data, wanted):
    """The values of one field, in order."""
    return [value for number, value in fields(data) if number == wanted]


def tensor(data):
    """A tensor's name and values."""
    dims, (kind,), (name,), (raw,) = (of(data, number) for number in (1, 2, 8, 9))
    return name.decode(), np.frombuffer(raw, {FLOAT: "<f4", HALF: "<f2"}[kind]).reshape(dims)


def shapes(data):
    """The shape of what the net sees, and of what it says, but for how many patches there are."""
    (graph,) = of(data, 7)
    for number in (11, 12):
        ((shape,),) = ([of(of(of(value, 2)[0], 1)[0], 2) for value in of(graph, number)],)
        yield tuple(of(dim, 1)[0] for dim in of(shape[0], 1)[1:])


def say(data, seen):
    """What the net of an ONNX file's bytes says of patches."""
    (graph,) = of(data, 7)
    values = {**dict(map(tensor, of(graph, 5))), "seen": seen}
    for node in of(graph, 1):
        names = [name.decode() for name in of(node, 1)]
        settings = {of(each, 1)[0].decode(): of(each, 8) or of(each, 3)[0] for each in of(node, 5)}
        run = OPERATORS[of(node, 4)[0].decode()]
        values[of(node, 2)[0].decode()] = run(*(values[name] for name in names), **settings)
    return values["said"]


def convolved(seen, kernel, bias, *, kernel_shape, pads, strides):
    assert (kernel_shape, pads) == ([3, 3], [1, 1, 1, 1])
    padded = np.pad(seen, ((0, 0), (0, 0), (1, 1), (1, 1)))
    near = sliding_window_view(padded, (3, 3), axis=(2, 3))[:, :, :: strides[0], :: strides[1]]
    return np.einsum("ncyxij,ocij->noyx", near, kernel, optimize=True) + bias[:, None, None]


def product(seen, weights, bias, *, transB):  # noqa: N803 (the standard's own name)
    assert transB == 1
    return seen @ weights.T + bias


def cast(values, *, to):
    assert to == FLOAT
    return values.astype(np.float32)


def flat(values, *, axis):
    assert axis == 1
    return values.reshape(len(values), -1)


OPERATORS = {
    "Cast": cast,
    "Conv": convolved,
    "Flatten": flat,
    "Gemm": product,
    "Relu": lambda values: np.maximum(values, 0),
}
"""All that a net's file may ask for: OpenCV has known these for longer than it has been allowed here."""
