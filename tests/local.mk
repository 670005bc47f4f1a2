# local.mk: gathers the tests, one folder for each part of the house.
# SPDX-License-Identifier: MIT
include $(srcdir)/tests/model/local.mk
include $(srcdir)/tests/shim/local.mk
include $(srcdir)/tests/record/local.mk
include $(srcdir)/tests/store/local.mk
include $(srcdir)/tests/report/local.mk
include $(srcdir)/tests/workloads/local.mk
include $(srcdir)/tests/cli/local.mk
