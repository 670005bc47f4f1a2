-- large.sql: adds 500 shapes, 2,500 functions and the machine's ceilings to each run, for a large page.
-- SPDX-License-Identifier: MIT
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2499)
INSERT INTO functions (run, seq, function, object, inlined_into, file, line, code, samples, samples_workers)
SELECT runs.id, 100000 + i, 'layer_' || i || '_forward<script>', '/usr/lib/libmodel.so.' || i % 7, '',
	'src/layer_' || i % 90 || '.c', i, 'other', 1 + i * 37 % 997, 0
FROM runs, n;
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 499)
INSERT INTO shapes (run, seq, routine, transa, transb, m, n, k, region, other_shapes, calls, total_ns, min_ns,
	max_ns, flops, bytes, histogram)
SELECT runs.id, 100000 + i, 'cblas_sgemm', 'N', 'T', 8 + i, 64 + i % 10, 32, '', 0, 1 + i * 31 % 499,
	1000000 + i * 977 % 99991, 1000, 90000, 1e6 * (1 + i), 1e5, '40:' || (1 + i * 31 % 499)
FROM runs, n;
INSERT INTO facts (run, seq, name, value)
SELECT id, 100000, 'ceilings', 'cpus=2 peak_single_1=8e10 peak_single_all=1.5e11 peak_double_1=4e10 peak_double_all=8e10 memory_1=1e10 memory_all=1.2e10'
FROM runs;
