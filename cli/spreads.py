"""The picture of `worldgen show --plot`: how sure each view makes of the event A, as SVG."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from xml.etree import ElementTree

Point = tuple[int, int]

_WIDTH, _HEIGHT, _LEFT, _TOP = 640, 400, 70, 50
_LEGEND, _LINE = _TOP + _HEIGHT + 60, 18  # where the names of the views begin, one under the other
_COLOURS = ("#0b5fa5", "#c2570c", "#2e7d32", "#7b1fa2", "#8d6e00", "#455a64")
_TENTH = 10  # points are placed in tenths of a pixel


def picture(title: str, event: str, spreads: Mapping[str, Mapping[Fraction, Fraction]]) -> str:
    """A curve for each view: the exact probability of the event, in ascending order, along the mass of what
    the view can show.
    """
    root = ElementTree.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {_WIDTH + _LEFT + 30} {_LEGEND + _LINE * len(spreads)}",
            "font-family": "sans-serif",
            "font-size": "13",
        },
    )
    _text(root, _LEFT, 22, title, size=16)
    _text(root, _LEFT, 40, f"exact probability that {event}")
    for step in range(5):
        x, y = _LEFT + _WIDTH * step // 4, _TOP + _HEIGHT - _HEIGHT * step // 4
        _line(root, (_LEFT, y), (_LEFT + _WIDTH, y))
        _line(root, (x, _TOP), (x, _TOP + _HEIGHT))
        _text(root, _LEFT - 8, y + 4, f"{step / 4:g}", anchor="end")
        _text(root, x, _TOP + _HEIGHT + 18, f"{step / 4:g}", anchor="middle")
    _text(root, _LEFT + _WIDTH // 2, _TOP + _HEIGHT + 38, "mass of what the view shows", anchor="middle")
    for number, (view, spread) in enumerate(spreads.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        points = " ".join(f"{x / _TENTH:g},{y / _TENTH:g}" for x, y in steps(spread))
        ElementTree.SubElement(
            root, "polyline", {"points": points, "fill": "none", "stroke": colour, "stroke-width": "2"}
        )
        _text(root, _LEFT, _LEGEND + _LINE * number, view, colour=colour)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def steps(spread: Mapping[Fraction, Fraction]) -> Sequence[Point]:
    """The corners of the curve in tenths of a pixel; neighbours in one place are drawn once."""
    points: list[Point] = []
    passed = Fraction(0)
    for p, mass in spread.items():
        y = round(_TENTH * (_TOP + _HEIGHT * (1 - p)))
        for x in (passed, passed + mass):
            point = (round(_TENTH * (_LEFT + _WIDTH * x)), y)
            if not points or points[-1] != point:
                points.append(point)
        passed += mass
    return points


def _text(
    root: ElementTree.Element,
    x: int,
    y: int,
    text: str,
    *,
    anchor: str = "start",
    size: int = 13,
    colour: str = "#222222",
) -> None:
    place = {"x": str(x), "y": str(y), "text-anchor": anchor, "font-size": str(size), "fill": colour}
    ElementTree.SubElement(root, "text", place).text = text


def _line(root: ElementTree.Element, start: Point, end: Point) -> None:
    ends = {"x1": str(start[0]), "y1": str(start[1]), "x2": str(end[0]), "y2": str(end[1])}
    ElementTree.SubElement(root, "line", {**ends, "stroke": "#dddddd"})
