# local.mk: builds the tests of record.
# SPDX-License-Identifier: MIT
