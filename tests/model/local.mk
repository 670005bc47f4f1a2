# local.mk: builds the tests of model.
# SPDX-License-Identifier: MIT
