# local.mk: builds profiler/shim.
# SPDX-License-Identifier: MIT
