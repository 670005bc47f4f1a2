# local.mk: builds profiler/cli.
# SPDX-License-Identifier: MIT
