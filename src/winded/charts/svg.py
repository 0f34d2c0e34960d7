"""Drawing by hand: SVG as text, with classes instead of styles, so that the strictest content policy lets it pass.

Every picture has a title and a description, tells things apart by dash and hatching as well as by colour, and takes
its colours from STYLE, which follows light and dark. On a page STYLE belongs into the page's own style sheet; a file of
its own carries it inside (`standalone=True`).
"""

from __future__ import annotations

from html import escape

STYLE = """\
.odds-chart {
  --odds-ink: #1d2433; --odds-quiet: #5b6475; --odds-rule: #d5dae3; --odds-paper: #ffffff;
  --odds-1: #2f5fb3; --odds-2: #b3541e; --odds-3: #2f7d4f; --odds-4: #7d3c98; --odds-5: #6a6414; --odds-6: #a8325a;
}
@supports (color: light-dark(#fff, #000)) {
  .odds-chart {
    --odds-ink: light-dark(#1d2433, #e8ecf4); --odds-quiet: light-dark(#5b6475, #a3aec2);
    --odds-rule: light-dark(#d5dae3, #3a4456); --odds-paper: light-dark(#ffffff, #151a23);
    --odds-1: light-dark(#2f5fb3, #8ab4f8); --odds-2: light-dark(#b3541e, #f2a66f);
    --odds-3: light-dark(#2f7d4f, #83d3a4); --odds-4: light-dark(#7d3c98, #d6aaea);
    --odds-5: light-dark(#6a6414, #d3cb6c); --odds-6: light-dark(#a8325a, #f59ab7);
  }
}
.odds-chart { display: block; max-width: 100%; height: auto; font: 13px/1.3 system-ui, sans-serif; }
.odds-chart text { fill: var(--odds-ink); }
.odds-chart .quiet { fill: var(--odds-quiet); }
.odds-chart .small { font-size: 11px; }
.odds-chart .strong { font-weight: 600; }
.odds-chart .rule { stroke: var(--odds-rule); stroke-width: 1; fill: none; }
.odds-chart .hollow { stroke: var(--odds-quiet); stroke-width: 1; fill: none; }
.odds-chart .mark { stroke: var(--odds-ink); stroke-width: 1.5; fill: none; }
.odds-chart .paper { fill: var(--odds-paper); }
.odds-chart .on-fill { paint-order: stroke; stroke: var(--odds-paper); stroke-width: 3px; stroke-linejoin: round; }
.odds-chart .fill-1 { fill: var(--odds-1); } .odds-chart .line-1 { stroke: var(--odds-1); }
.odds-chart .fill-2 { fill: var(--odds-2); } .odds-chart .line-2 { stroke: var(--odds-2); }
.odds-chart .fill-3 { fill: var(--odds-3); } .odds-chart .line-3 { stroke: var(--odds-3); }
.odds-chart .fill-4 { fill: var(--odds-4); } .odds-chart .line-4 { stroke: var(--odds-4); }
.odds-chart .fill-5 { fill: var(--odds-5); } .odds-chart .line-5 { stroke: var(--odds-5); }
.odds-chart .fill-6 { fill: var(--odds-6); } .odds-chart .line-6 { stroke: var(--odds-6); }
.odds-chart .line { fill: none; stroke-width: 2.25; stroke-linejoin: round; stroke-linecap: round; }
.odds-chart .hatch { fill: none; stroke-width: 2; }
"""

_ALONE = ":root { color-scheme: light dark; }\n"
DASHES = ("", "8 6", "0.5 5", "14 5 0.5 5", "3 8", "20 7")
"""Dash patterns of the lines 1 to 6, the same number as their colours."""


class Drawing:
    """A picture in the making. `name` begins the ids inside it: two pictures on one page need two names."""

    def __init__(self, width: float, height: float, *, name: str) -> None:
        self.width = width
        self.height = height
        self.name = name
        self.parts: list[str] = []

    def add(self, tag: str, content: str = "", /, **attributes: str | float | None) -> None:
        """An element; attributes are written as given, with `class_` for class and - for _."""
        self.parts.append(element(tag, content, **attributes))

    def rect(self, x: float, y: float, width: float, height: float, class_: str, **more: str | float | None) -> None:
        # Written out, as a forecast has hundreds of them.
        place = f'x="{_number(x)}" y="{_number(y)}" width="{_number(max(width, 0))}" height="{_number(max(height, 0))}"'
        ends = element("", **more)[1:] if more else "/>"
        self.parts.append(f'<rect {place} class="{escape(class_)}"{ends}')

    def line(self, x1: float, y1: float, x2: float, y2: float, class_: str, **more: str | float | None) -> None:
        self.add("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_, **more)

    def path(self, points: list[tuple[float, float]], series: int, **more: str | float | None) -> None:
        """A line through points in the colour and the dashes of its series (1 to 6)."""
        d = "M" + "L".join(f"{_number(x)} {_number(y)}" for x, y in points)
        self.add("path", d=d, class_=f"line line-{series}", stroke_dasharray=DASHES[series - 1] or None, **more)

    def text(
        self, x: float, y: float, words: str, class_: str = "", anchor: str = "start", **more: str | float | None
    ) -> None:
        attributes = {"text_anchor": None if anchor == "start" else anchor, **more}
        self.add("text", escape(words, quote=False), x=x, y=y, class_=class_ or None, **attributes)

    def hatched(self, x: float, y: float, width: float, height: float, series: int) -> None:
        """A box filled with slanted lines: told from a full one without any colour."""
        clip = f"{self.name}-box-{len(self.parts)}"
        if width <= 0 or height <= 0:
            return
        box = element("rect", x=x, y=y, width=width, height=height)
        self.parts.append(element("clipPath", box, id=clip))
        step, d = 5.0, []
        start = x - height
        while start < x + width:
            d.append(f"M{_number(start)} {_number(y + height)}l{_number(height)} {_number(-height)}")
            start += step
        self.add("path", d="".join(d), class_=f"hatch line-{series}", clip_path=f"url(#{clip})")
        self.add("rect", x=x, y=y, width=width, height=height, class_=f"hatch line-{series}", fill="none")

    def finished(self, title: str, description: str, *, standalone: bool = False) -> str:
        """The whole `<svg>`; a standalone one carries its own style and background."""
        ids = f"{self.name}-title", f"{self.name}-desc"
        inside = [element("title", escape(title, quote=False), id=ids[0])]
        inside.append(element("desc", escape(description, quote=False), id=ids[1]))
        if standalone:
            inside.append(f"<style>\n{_ALONE}{STYLE}</style>")
            inside.append(element("rect", x=0, y=0, width=self.width, height=self.height, class_="paper"))
        return element(
            "svg",
            "\n".join([*inside, *self.parts]),
            xmlns="http://www.w3.org/2000/svg",
            class_="odds-chart",
            viewBox=f"0 0 {_number(self.width)} {_number(self.height)}",
            width=self.width,
            height=self.height,
            role="img",
            aria_labelledby=f"{ids[0]} {ids[1]}",
            font_family="system-ui, sans-serif",
            font_size=13,
        )


def element(tag: str, content: str = "", /, **attributes: str | float | None) -> str:
    """One element as text; attributes that are None are left out, the others escaped."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value if isinstance(value, str) else _number(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{tag}{written}>{content}</{tag}>" if content else f"<{tag}{written}/>"


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
