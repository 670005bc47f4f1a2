# local.mk: builds analysis/model.
# SPDX-License-Identifier: MIT
