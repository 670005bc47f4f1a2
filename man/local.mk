# local.mk: builds man.
# SPDX-License-Identifier: MIT
