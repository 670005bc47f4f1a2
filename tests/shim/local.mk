# local.mk: builds the tests of shim.
# SPDX-License-Identifier: MIT
