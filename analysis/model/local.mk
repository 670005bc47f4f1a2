# local.mk: builds analysis/model, the pure functions behind every figure of the report.
# SPDX-License-Identifier: MIT
noinst_LIBRARIES += libmodel.a
libmodel_a_SOURCES = analysis/model/accounting.c analysis/model/accounting.h \
	analysis/model/roles.c analysis/model/roles.h \
	analysis/model/models.c analysis/model/models.h
