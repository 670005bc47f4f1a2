"""read_trace.py: checks a timeline by the rules of the trace event format: read_trace.py TRACE.json CALLS."""
# SPDX-License-Identifier: MIT
# CALLS is the expected number of BLAS calls. The format is Google's "Trace Event Format": complete events (X) of a thread
# are nested or follow each other; metadata (M) names processes and threads.
import json
import sys

NUMBER = (int, float)


def fail(why, event):
    sys.exit(f"{why}: {event}")


def check_event(event):
    """Checks a single event."""
    for key, kind in (("ph", str), ("name", str), ("pid", int), ("tid", int)):
        if type(event.get(key)) is not kind:
            fail(f"no {key}", event)
    if event["ph"] == "M":
        if event["name"] not in ("process_name", "thread_name") or type(event["args"]["name"]) is not str:
            fail("metadata that viewers do not know", event)
    elif event["ph"] != "X":
        fail("a kind of event that is not written", event)
    elif event["cat"] not in ("blas", "mpi", "region", "waiting", "no CPU") or not event["name"]:
        fail("no category or name", event)
    elif not all(isinstance(event[key], NUMBER) and event[key] >= 0 for key in ("ts", "dur")):
        fail("times that are none", event)


def check_track(events):
    """Checks that the events of a thread nest. Times have three decimals of a microsecond."""
    open_ends = []
    last = 0
    for event in events:
        start, end = event["ts"], event["ts"] + event["dur"]
        if start < last:
            fail("out of order", event)
        last = start
        while open_ends and open_ends[-1] <= start + 0.0011:
            open_ends.pop()
        if open_ends and end > open_ends[-1] + 0.0011:
            fail("two events of one thread overlap", event)
        open_ends.append(end)


def main():
    """Checks each event, then the threads."""
    with open(sys.argv[1], encoding="utf-8") as file:
        trace = json.load(file)
    tracks, named = {}, set()
    for event in trace["traceEvents"]:
        check_event(event)
        if event["ph"] == "M":
            named.add((event["name"], event["pid"], event["tid"]))
        else:
            tracks.setdefault((event["pid"], event["tid"]), []).append(event)
    for (pid, tid), events in tracks.items():
        if ("thread_name", pid, tid) not in named or ("process_name", pid, pid) not in named:
            sys.exit(f"thread {tid} of {pid} has no name")
        check_track(events)
    calls = sum(event["cat"] == "blas" for events in tracks.values() for event in events)
    if calls != int(sys.argv[2]):
        sys.exit(f"{calls} calls, not {sys.argv[2]}")
    if trace["displayTimeUnit"] != "ns":
        sys.exit("no unit of time")
    print(f"{calls} calls on {len(tracks)} tracks, {trace['otherData']}")


main()
