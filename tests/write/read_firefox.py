"""read_firefox.py: checks a profile by the Firefox Profiler's processed format: read_firefox.py PROFILE.json SAMPLES."""
# SPDX-License-Identifier: MIT
# SAMPLES is the sum of the weights. The tables are described in the profiler's src/types/profile.js, version 47. All columns
# of a table have the same length, and indices must be inside the table that they refer to.
import json
import sys

COLUMNS = {
    "samples": ["stack", "time", "weight"],
    "markers": ["data", "name", "startTime", "endTime", "phase", "category"],
    "stackTable": ["frame", "category", "subcategory", "prefix"],
    "frameTable": ["address", "inlineDepth", "category", "subcategory", "func", "nativeSymbol", "innerWindowID",
                   "implementation", "line", "column"],
    "funcTable": ["name", "isJS", "relevantForJS", "resource", "fileName", "lineNumber", "columnNumber"],
    "resourceTable": ["lib", "name", "host", "type"],
    "nativeSymbols": ["libIndex", "address", "name", "functionSize"],
}
COLOURS = {"grey", "blue", "green", "orange", "purple", "yellow", "red", "transparent", "lightblue", "brown", "magenta"}


def inside(column, length, where, null=False):
    """Indices into a table of that length."""
    for value in column:
        if not (null if value is None else type(value) is int and 0 <= value < length):
            sys.exit(f"{where}: {value} is outside of {length}")


def check_thread(thread, categories):
    """Returns the sum of the weights."""
    for name, columns in COLUMNS.items():
        for column in columns:
            if len(thread[name][column]) != thread[name]["length"]:
                sys.exit(f"{name}.{column} is not of the table's length")
    strings, stacks = thread["stringArray"], thread["stackTable"]
    if len(set(strings)) != len(strings) or not all(isinstance(text, str) for text in strings):
        sys.exit("strings are not each there once")
    functions, frames = thread["funcTable"], thread["frameTable"]
    inside(functions["name"], len(strings), "function names")
    inside(frames["func"], functions["length"], "functions of frames")
    inside(frames["category"], len(categories), "categories of frames", null=True)
    inside(stacks["frame"], frames["length"], "frames of stacks")
    inside(stacks["category"], len(categories), "categories of stacks")
    for at, prefix in enumerate(stacks["prefix"]):
        inside([prefix], at, "prefixes", null=True)
    samples = thread["samples"]
    inside(samples["stack"], stacks["length"], "stacks of samples")
    if samples["time"] != sorted(samples["time"]) or samples["weightType"] != "samples":
        sys.exit("samples are out of order, or their weight is no number of samples")
    if type(thread["pid"]) is not str or type(thread["isMainThread"]) is not bool:
        sys.exit("a thread is not described as of version 47")
    return sum(samples["weight"])


def main():
    """Checks the profile's description and its threads."""
    with open(sys.argv[1], encoding="utf-8") as file:
        profile = json.load(file)
    meta = profile["meta"]
    if meta["preprocessedProfileVersion"] != 47 or meta["interval"] <= 0 or meta["markerSchema"] != []:
        sys.exit(f"meta: {meta}")
    categories = meta["categories"]
    if not all(category["color"] in COLOURS and category["subcategories"] for category in categories):
        sys.exit(f"categories: {categories}")
    if sum(category["color"] == "grey" for category in categories) != 1:
        sys.exit("not one default category")
    found = sum(check_thread(thread, categories) for thread in profile["threads"])
    if found != int(sys.argv[2]):
        sys.exit(f"{found} samples, not {sys.argv[2]}")
    used = {categories[category]["name"] for thread in profile["threads"] for category in
            [thread["stackTable"]["category"][stack] for stack in thread["samples"]["stack"]]}
    print(f"{found} samples in {sorted(used)}")


main()
