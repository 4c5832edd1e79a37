"""Scores over nodes as SVG: each line an engine against an opponent."""

import html
import math

from lab.rating_plot import svg

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 760, 420, 56, 24, 250, 46

# The lines' colours, readable on light and dark.
COLORS = ("#b5501d", "#2f7fb5", "#5d9a3c", "#8a5fb0", "#b58a1d", "#3c9a8f")

# Labels do not overlap.
LINE = 17


def draw(lines):
    """The plot of lines: each a name and its points, nodes and per cent."""
    counts = sorted({nodes for _, points in lines for nodes, _ in points})
    scores = [score for _, points in lines for _, score in points]
    low = max(math.floor(min(scores) / 10) * 10 - 10, 0)
    high = min(math.ceil(max(scores) / 10) * 10 + 10, 100)
    span = math.log(counts[-1] / counts[0]) or 1

    def at(nodes, score):
        across = math.log(nodes / counts[0]) / span
        return (
            LEFT + across * (WIDTH - LEFT - RIGHT),
            HEIGHT - BOTTOM - (score - low) / (high - low) * (HEIGHT - TOP - BOTTOM),
        )

    parts = []
    for score in range(low, high + 1, 10):
        y = at(counts[0], score)[1]
        end = WIDTH - RIGHT
        parts.append(f'<line x1="{LEFT}" x2="{end}" y1="{y:.1f}" y2="{y:.1f}" class="grid"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{score} %</text>')
    for nodes in counts:
        x, y = at(nodes, low)
        parts.append(f'<text x="{x:.1f}" y="{y + 20:.1f}" text-anchor="middle">{nodes:,}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">nodes a move</text>')
    below = 0
    for number, (name, points) in sorted(enumerate(lines), key=lambda line: -line[1][1][-1][1]):
        color = COLORS[number % len(COLORS)]
        places = [at(*point) for point in points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{color}"/>' for x, y in places]
        x, y = places[-1]
        below = max(y + 4, below + LINE)
        label = html.escape(name if len(name) < 34 else name[:32] + "…")
        parts.append(f'<text x="{x + 12:.1f}" y="{below:.1f}" style="fill:{color}">{label}</text>')
    return svg(WIDTH, HEIGHT, parts)
