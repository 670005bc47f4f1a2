# local.mk: builds workloads.
# SPDX-License-Identifier: MIT
