"""find_chart.py: finds the printed page with a chart, by its coloured pixels."""
# SPDX-License-Identifier: MIT
# find_chart.py PAGE.ppm...
import pathlib
import sys


def colourful(path):
    """Counts the pixels that are clearly not grey."""
    header, size, _, pixels = path.read_bytes().split(b"\n", 3)
    if header != b"P6" or len(size.split()) != 2:
        sys.exit(f"{path} is no picture")
    return sum(
        1
        for red, green, blue in zip(pixels[0::3], pixels[1::3], pixels[2::3])
        if max(red, green, blue) - min(red, green, blue) > 60
    )


def main():
    """Prints the page with most coloured pixels."""
    counts = {name: colourful(pathlib.Path(name)) for name in sys.argv[1:]}
    name = max(counts, key=counts.get)
    if counts[name] < 200:
        sys.exit(f"no page has a chart: {counts}")
    print(f"the chart is on {name}: {counts[name]} coloured pixels")


main()
