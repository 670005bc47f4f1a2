# local.mk: builds the tests of report.
# SPDX-License-Identifier: MIT
