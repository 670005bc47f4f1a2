# marks.py: tells blasprof, where it watches, what part of the program to measure.
# SPDX-License-Identifier: MIT
"""The marks of blasprof.h, which is for C: its preload library has them, or nobody has."""

import contextlib
import ctypes


def find(name):
    try:
        return getattr(ctypes.CDLL(None), name)
    except AttributeError:  # not profiled
        return lambda region: None


region_begin = find("blasprof_shim_region_begin")
region_end = find("blasprof_shim_region_end")


@contextlib.contextmanager
def region(name):
    """What this thread does inside is booked to the region."""
    name = name.encode()
    region_begin(name)
    try:
        yield
    finally:
        region_end(name)
