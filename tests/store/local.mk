# local.mk: builds the tests of store.
# SPDX-License-Identifier: MIT
