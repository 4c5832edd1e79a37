"""A plot of a rating among those of the opponents, as SVG."""

import html

from lab.rating import Bound

WIDTH, ROW, TOP, LEFT, RIGHT = 760, 30, 64, 190, 30

STYLE = """
  svg { background: #fff; color: #23211d; --soft: #746f66; --rule: #e4e0d7; --accent: #b5501d; }
  @media (prefers-color-scheme: dark) {
    svg { background: #211f1c; color: #ece8df; --soft: #a19b8f; --rule: #38352f; --accent: #ee8f4e; }
  }
  text { font: 13px system-ui, sans-serif; fill: currentColor; }
  .title { font-size: 17px; font-weight: 650; }
  .soft { fill: var(--soft); }
  .grid { stroke: var(--rule); }
  .band { fill: var(--accent); opacity: 0.18; }
  .found { stroke: var(--accent); stroke-width: 2; }
  .error { stroke: currentColor; stroke-width: 1.5; }
  .given { fill: none; stroke: var(--soft); stroke-width: 1.5; }
"""


def draw(name, found, opponents):
    """The plot; opponents are rows of name, rating, games and performance, in order."""
    low, high = plot_range(found, opponents)
    bottom = TOP + ROW * len(opponents)

    def at(rating):
        return LEFT + (min(max(rating, low), high) - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    title = html.escape(f"{name}: {describe(found)}")
    parts = [f'<text x="16" y="28" class="title">{title}</text>']
    for rating in range(*grid(low, high)):
        x = at(rating)
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{bottom}" class="grid"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{rating}</text>')
    parts += draw_found(found, at, bottom)
    for number, (opponent, rating, games, performance) in enumerate(opponents):
        y = TOP + ROW * (number + 0.5)
        label = html.escape(opponent if len(opponent) < 25 else opponent[:23] + "…")
        parts.append(f'<text x="{LEFT - 12}" y="{y + 4}" text-anchor="end">{label}</text>')
        parts.append(f'<circle cx="{at(rating):.1f}" cy="{y}" r="5" class="given"/>')
        parts += draw_performance(performance, at, y, games)
    words = "○ an opponent's rating   ● how the engine performed against it, 95 %"
    parts.append(f'<text x="16" y="{bottom + 44}" class="soft">{words}</text>')
    return svg(WIDTH, bottom + 58, parts)


def svg(width, height, parts):
    """A plot of these parts, in the style of all plots."""
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}">\n<style>{STYLE}</style>\n{body}\n</svg>\n'
    )


def describe(found):
    return str(found) if isinstance(found, Bound) else f"{found.value:.0f} ± {found.error:.0f}"


def interval(found):
    """The ends of the 95 % interval."""
    if isinstance(found, Bound):
        return found.value, found.value
    return found.value - found.error, found.value + found.error


def plot_range(found, opponents):
    """The range that shows all ratings and the error of the result; errors of performances may be cut off."""
    seen = [*interval(found), *(rating for _, rating, _, _ in opponents)]
    seen += [figure.value for *_, figure in opponents]
    margin = 20 + (max(seen) - min(seen)) / 20
    return min(seen) - margin, max(seen) + margin


def grid(low, high):
    """Round ratings, at most about eight."""
    sizes = (10, 20, 50, 100, 200, 500, 1000, 10**6)
    step = next(size for size in sizes if (high - low) / size < 9)
    first = -int(-low // step) * step
    return first, int(high) + 1, step


def draw_found(found, at, bottom):
    x = at(found.value)
    line = f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 8}" y2="{bottom}" class="found"/>'
    if isinstance(found, Bound):
        return [line]
    low, high = (at(end) for end in interval(found))
    box = f'x="{low:.1f}" width="{high - low:.1f}" y="{TOP - 8}" height="{bottom - TOP + 8}"'
    return [f'<rect {box} class="band"/>', line]


def draw_performance(performance, at, y, games):
    x = at(performance.value)
    title = f"<title>{describe(performance)}, {games} games</title>"
    if isinstance(performance, Bound):
        mark = "▶" if performance.above else "◀"
        return [f'<text x="{x:.1f}" y="{y + 4}" text-anchor="middle">{mark}{title}</text>']
    low, high = (at(end) for end in interval(performance))
    return [
        f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{y}" y2="{y}" class="error"/>',
        f'<circle cx="{x:.1f}" cy="{y}" r="4" fill="currentColor">{title}</circle>',
    ]
