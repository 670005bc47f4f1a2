# local.mk: builds the tests of workloads.
# SPDX-License-Identifier: MIT
