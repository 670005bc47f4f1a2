# local.mk: builds analysis/report.
# SPDX-License-Identifier: MIT
