"""What things are made of: paint over brass, varnish, skin, cloth."""

from __future__ import annotations

from typing import Any

import numpy as np

from tools.tables.blender import UNIT, bpy, linear
from tools.tables.look import Pair, Rgb, Table
from tools.tables.things import things
from uckers_table.simulator.paint import Linear, cloud

ENAMEL = 0.08
"""The roughness of enamelled pieces."""


class Shading:
    """A material, and the nodes that say how it reflects."""

    def __init__(self, name: str) -> None:
        self.material = bpy.data.materials.new(name)
        self.material.use_nodes = True
        self.nodes, self.links = self.material.node_tree.nodes, self.material.node_tree.links
        self.shader = self.nodes["Principled BSDF"]

    def sets(self, name: str, value: object) -> None:
        """Sets what the material has all over."""
        self.shader.inputs[name].default_value = value

    def feeds(self, name: str, value: Any) -> None:
        """Lets another node say what the material has at each point."""
        self.links.new(value, self.shader.inputs[name])

    def noise(self, vector: Any, scale: float, detail: float, seed: Any = None) -> Any:
        """Clouds about 0.5; with a seed, each thing has its own."""
        node = self.nodes.new("ShaderNodeTexNoise")
        node.inputs["Scale"].default_value, node.inputs["Detail"].default_value = scale, detail
        self.links.new(vector, node.inputs["Vector"])
        if seed is not None:
            node.noise_dimensions = "4D"
            grown = self.nodes.new("ShaderNodeMath")
            grown.operation = "MULTIPLY"
            grown.inputs[1].default_value = 50.0
            self.links.new(seed, grown.inputs[0])
            self.links.new(grown.outputs[0], node.inputs["W"])
        return node.outputs[0]

    def mapped(self, value: Any, span: Pair, to: Pair) -> Any:
        """A value, stretched from one range to another."""
        node = self.nodes.new("ShaderNodeMapRange")
        for name, number in zip(("From Min", "From Max", "To Min", "To Max"), (*span, *to), strict=True):
            node.inputs[name].default_value = number
        self.links.new(value, node.inputs["Value"])
        return node.outputs[0]

    def math(self, operation: str, a: Any, b: Any) -> Any:
        """Two values put together: "ADD", "MAXIMUM"."""
        node = self.nodes.new("ShaderNodeMath")
        node.operation = operation
        self.links.new(a, node.inputs[0])
        self.links.new(b, node.inputs[1])
        return node.outputs[0]

    def picture(self, name: str, bgr: Linear) -> Any:
        """A picture's colour at each point."""
        node = self.nodes.new("ShaderNodeTexImage")
        node.image = _image(name, bgr)
        return node.outputs["Color"]

    def tinted(self, rgb: Rgb) -> Any:
        """A paint that other nodes may make lighter and darker: the node."""
        node = self.nodes.new("ShaderNodeHueSaturation")
        node.inputs["Color"].default_value = linear(rgb)
        return node


def plain(name: str, rgb: Rgb, rough: float, coat: float = 0.0, metal: float = 0.0) -> bpy.types.Material:
    """The same all over."""
    shading = Shading(name)
    shading.sets("Base Color", linear(rgb))
    shading.sets("Roughness", rough)
    shading.sets("Coat Weight", coat)
    shading.sets("Metallic", metal)
    return shading.material


def skin(rgb: Rgb) -> bpy.types.Material:
    """Skin, blotched."""
    return _blotched("skin", rgb, 5.0, 4.0, (0.75, 1.2), 0.5)


def woven(rgb: Rgb) -> bpy.types.Material:
    """A sleeve's cloth."""
    return _blotched("cloth", rgb, 60.0, 3.0, (0.7, 1.3), 0.95)


def top(table: Table, cloth: Linear) -> bpy.types.Material:
    """What the board lies on."""
    shading = Shading("cloth")
    shading.feeds("Base Color", shading.picture("cloth", cloth))
    surface = things().weaves[table.weave]
    shading.sets("Roughness", surface.rough)
    shading.sets("Metallic", surface.metal)
    return shading.material


def wet(cloth: Rgb) -> bpy.types.Material:
    """A ring that a mug has left on the top."""
    shading = Shading("wet")
    shading.sets("Base Color", linear(darker(cloth, 0.55)))
    shading.sets("Roughness", 0.03)
    return shading.material


def varnish(table: Table, paint: Linear) -> bpy.types.Material:
    """The board's paint under varnish that shines in some places more than in others."""
    shading = Shading("varnish")
    shading.feeds("Base Color", shading.picture("board", paint))
    # From a picture: Blender's own noise makes rendering take half as long again.
    patches = cloud((256, 256), 30.0, 30.0, np.random.default_rng(3)) + cloud(
        (256, 256), 5.0, 5.0, np.random.default_rng(4)
    )
    uneven = shading.picture("sheen", np.repeat((0.5 + 0.15 * patches)[..., None], 3, axis=2))
    rough = table.varnish_rough
    sheen = shading.mapped(uneven, (0.2, 0.8), (rough * 0.75, rough * 1.3))
    shading.feeds("Roughness", sheen)
    shading.sets("Coat Weight", table.varnish)
    shading.feeds("Coat Roughness", sheen)
    return shading.material


def piece_paint(table: Table, colour: str) -> bpy.types.Material:
    """Paint over brass: bare below, worn at the rim and here and there."""
    shading = Shading("paint")
    nodes, links = shading.nodes, shading.links
    coords, info = nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeObjectInfo")
    bare = _bare_brass(shading, table, coords.outputs["Object"], info.outputs["Random"])
    mix = nodes.new("ShaderNodeMix")
    mix.data_type = "RGBA"
    links.new(bare, mix.inputs["Factor"])
    tint = shading.tinted(table.pieces[colour])
    links.new(shading.mapped(info.outputs["Random"], (0.0, 1.0), (0.85, 1.12)), tint.inputs["Value"])
    links.new(tint.outputs["Color"], mix.inputs[6])
    mix.inputs[7].default_value = linear(things().brass)
    shading.feeds("Base Color", mix.outputs[2])
    shading.feeds("Metallic", bare)
    rough = ENAMEL if colour in table.glossy else table.piece_rough
    shading.feeds("Roughness", shading.mapped(bare, (0.0, 1.0), (rough, 0.35)))
    brush = shading.noise(coords.outputs["Object"], 30.0, 3.0, info.outputs["Random"])
    bump = nodes.new("ShaderNodeBump")
    bump.inputs["Strength"].default_value, bump.inputs["Distance"].default_value = 0.3, 0.004
    links.new(brush, bump.inputs["Height"])
    shading.feeds("Normal", bump.outputs["Normal"])
    return shading.material


def darker(rgb: Rgb, share: float) -> Rgb:
    """A paint, each channel times a share."""
    red, green, blue = (round(share * channel) for channel in rgb)
    return red, green, blue


def _bare_brass(shading: Shading, table: Table, place: Any, seed: Any) -> Any:
    """Where a piece has no paint: 1, else 0."""
    nodes, links = shading.nodes, shading.links
    split = nodes.new("ShaderNodeSeparateXYZ")
    links.new(place, split.inputs["Vector"])
    noise = shading.noise(place, 9.0, 4.0, seed)
    foot = (1 - table.piece_painted) * table.piece_height_mm / UNIT
    low = shading.mapped(split.outputs["Z"], (foot - 0.008, foot + 0.008), (1.0, 0.0))
    across = nodes.new("ShaderNodeVectorMath")
    across.operation = "LENGTH"
    flat = nodes.new("ShaderNodeCombineXYZ")
    links.new(split.outputs["X"], flat.inputs["X"])
    links.new(split.outputs["Y"], flat.inputs["Y"])
    links.new(flat.outputs["Vector"], across.inputs[0])
    radius, chipped = table.piece_diameter_mm / 2, table.piece_chipped
    rim = shading.mapped(
        across.outputs["Value"], ((radius - 0.9) / UNIT, radius / UNIT), (0.0, 0.2 * chipped)
    )
    worn = shading.math("ADD", noise, rim)
    chips = shading.mapped(worn, (0.74 - 0.09 * chipped, 0.76 - 0.09 * chipped), (0.0, 1.0))
    return shading.math("MAXIMUM", low, chips)


def _blotched(name: str, rgb: Rgb, scale: float, detail: float, to: Pair, rough: float) -> bpy.types.Material:
    """A colour that is lighter and darker in clouds."""
    shading = Shading(name)
    coords = shading.nodes.new("ShaderNodeTexCoord")
    noise = shading.noise(coords.outputs["Object"], scale, detail)
    tint = shading.tinted(rgb)
    shading.links.new(shading.mapped(noise, (0.3, 0.7), to), tint.inputs["Value"])
    shading.feeds("Base Color", tint.outputs["Color"])
    shading.sets("Roughness", rough)
    return shading.material


def _image(name: str, bgr: Linear) -> bpy.types.Image:
    """Linear reflectance (H, W, 3), blue first, as a picture of Blender's."""
    height, width = bgr.shape[:2]
    image = bpy.data.images.new(name, width, height, float_buffer=True, is_data=True)
    rgba = np.ones((height, width, 4), np.float32)
    rgba[..., :3] = np.clip(bgr[::-1, :, ::-1], 0, 0.95)
    image.pixels.foreach_set(rgba.ravel())
    image.pack()
    return image
