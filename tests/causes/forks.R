# forks.R: R's parallel package with one planted cause, or none: forks.R N CASE. Prints the planted loss.
# SPDX-License-Identifier: MIT
library(parallel)
arguments <- commandArgs(TRUE)
n <- as.integer(arguments[1])
case <- arguments[2]
# so many that the work takes longer than the start of the processes
shares <- rep(7200 / n, n)
if (case == "imbalance" && n > 1) shares <- rep(4800 / n, n) + c(2400, rep(0, n - 1))
task <- function(share) {
  a <- matrix(1, 200, 200)
  cpu <- sum(proc.time()[1:2])
  for (i in seq_len(share)) b <- a %*% a
  sum(proc.time()[1:2]) - cpu
}
begin <- proc.time()[3]
busy <- unlist(mclapply(shares, task, mc.cores = n, mc.preschedule = FALSE))
wall <- proc.time()[3] - begin
lost <- if (case == "imbalance" && n > 1) n * max(busy) - sum(busy) else 0
cat(sprintf("planted %.4f wall %.4f\n", lost / wall, wall))
