# local.mk: builds profiler/record.
# SPDX-License-Identifier: MIT
