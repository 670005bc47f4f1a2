# local.mk: gathers the analysis folders.
# SPDX-License-Identifier: MIT
include $(srcdir)/analysis/model/local.mk
include $(srcdir)/analysis/report/local.mk
include $(srcdir)/analysis/page/local.mk
