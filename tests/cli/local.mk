# local.mk: builds the tests of cli.
# SPDX-License-Identifier: MIT
