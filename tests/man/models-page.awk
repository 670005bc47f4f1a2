# models-page.awk: fills in the template of blasprof-models(7) as man/models_page.c does, but by other means: exact
# mean value analysis for queue, a search over all m for the fit, a linear solution for usl.
# SPDX-License-Identifier: MIT
# Use: awk -F, -v directory=TABLES -f models-page.awk TEMPLATE

function die(what)
{
	print "models-page.awk: " what > "/dev/stderr"
	exit 1
}

function load(name, file, line, part)
{
	file = directory "/" name
	if ((getline line < file) <= 0)
		die("cannot read " file)
	while ((getline line < file) > 0) {
		split(line, part, ",")
		if (name ~ /throughput/) {
			rate[part[1], part[2], part[3]] = part[4]
		} else if (name ~ /shares/) {
			order[++shares] = part[1] " " part[2]
			share[part[1], part[2]] = part[3]
		} else {
			chip[++chips] = line
		}
	}
	close(file)
}

function min(a, b) { return a < b ? a : b }

function f_of(text, part)
{
	return split(text, part, "/") == 2 ? share[part[1], part[2]] : text + 0
}

function measured(language, pass, n)
{
	return rate[language, pass, n] / rate[language, pass, 1]
}

# Exact mean value analysis: a delay z and one station of m servers, each with service f.
function analysis(f, z, n, m, k, j, rest, x, p, q)
{
	p[0] = 1
	for (k = 1; k <= n; k++) {
		rest = 0
		for (j = 1; j <= k; j++)
			rest += f * j / min(j, m) * p[j - 1]
		x = k / (rest + z)
		q[0] = 1
		for (j = 1; j <= k; j++) {
			q[j] = f * x / min(j, m) * p[j - 1]
			q[0] -= q[j]
		}
		for (j = 0; j <= k; j++)
			p[j] = q[j]
	}
	return x
}

function whole_units(f, n, m)
{
	if (!((f, n, m) in known))
		known[f, n, m] = m >= n ? n : analysis(f, 1 - f, n, m)
	return known[f, n, m]
}

function queue(f, n, m, low)
{
	if (m < 1)
		return analysis(f / m, 1 - f, n, 1)
	low = whole_units(f, n, int(m))
	return m >= n ? n : low + (m - int(m)) * (whole_units(f, n, int(m) + 1) - low)
}

function model(name, f, n, m)
{
	if (name == "amdahl")
		return n / (n * f + 1 - f)
	if (name == "bound")
		return min(n, m / f)
	if (name == "queue")
		return queue(f, n, m)
	if (name == "forkjoin")
		return n / (1 - f + f * n / min(n, m))
	if (name == "inner")
		return n / (n - n * f + f)
	die("no model " name)
}

function mean_error(name, which, i, n, part, sum, points, error)
{
	for (i = 1; i <= shares; i++) {
		split(order[i], part, " ")
		if (which == "rest" && order[i] ~ /^(Go|Python) train$/)
			continue
		for (n = 2; n <= 4; n += 2) {
			error = model(name, share[part[1], part[2]], n, 1) - measured(part[1], part[2], n)
			sum += error < 0 ? -error : error
			points++
		}
	}
	return sum / points
}

# Below one unit the fit goes in straight lines between 16 values of m to a factor of 10 (model/fit.h).
function fitted_queue(f, n, m, low, high)
{
	if (m >= 1)
		return queue(f, n, m)
	low = 0.1 * 10 ^ (int(log(m * 10) / log(10) * 16 + 1e-9) / 16)
	high = low * 10 ^ (1 / 16)
	return queue(f, n, low) + (m - low) / (high - low) * (queue(f, n, min(high, 1)) - queue(f, n, low))
}

function square_error(language, pass, m, n, error, sum)
{
	for (n = 2; n <= 4; n += 2) {
		error = measured(language, pass, n) - fitted_queue(share[language, pass], n, m)
		sum += error * error
	}
	return sum
}

# The m of the least error: the best of many, then thirds of the space around it.
function best_units(language, pass, m, low, high, best, least, error)
{
	least = 1e9
	for (m = 0.1; m <= 4; m += 0.01) {
		error = square_error(language, pass, m)
		if (error < least) {
			least = error
			best = m
		}
	}
	low = best > 0.11 ? best - 0.01 : 0.1
	high = best + 0.01
	while (high - low > 1e-9) {
		m = (high - low) / 3
		if (square_error(language, pass, low + m) < square_error(language, pass, high - m))
			high -= m
		else
			low += m
	}
	return low
}

# Where the error passes the limit on the way from m in steps; "" where it never does before m leaves 0.1 to 4.
function passes(language, pass, limit, m, step, i)
{
	for (; m + step >= 0.1 && m + step <= 4; m += step)
		if (square_error(language, pass, m + step) > limit)
			break
	if (m + step < 0.1 || m + step > 4)
		return ""
	for (i = 0; i < 40; i++) {
		step /= 2
		if (square_error(language, pass, m + step) <= limit)
			m += step
	}
	return m
}

# Two points, one parameter: one degree of freedom is left, for which Student's t is 12.706205.
function fit(language, pass, best, limit, to)
{
	best = best_units(language, pass)
	limit = square_error(language, pass, best) * (1 + 12.706205 ^ 2)
	to = passes(language, pass, limit, best, 0.01)
	return sprintf("%.2f\t%.2f\t%s", best, passes(language, pass, limit, best, -0.01),
		to == "" ? "no end" : sprintf("%.2f", to))
}

# N / S - 1 = a (N - 1) + b N (N - 1) at N = 2 and 4, solved for a and b.
function usl(language, pass, what, two, four, a, b)
{
	two = 2 / measured(language, pass, 2) - 1
	four = 4 / measured(language, pass, 4) - 1
	b = (four - 3 * two) / 6
	a = two - 2 * b
	if (a < 0 || b < 0)
		die("the law has no solution inside its bounds for " language)
	return what == "peak" ? sprintf("%.1f", sqrt((1 - a) / b)) : sprintf("%.3f", what == "a" ? a : b)
}

function throughput_table(text, i, n, part, f)
{
	text = ".TS\nl l r r r r r r.\nlanguage\tpass\tf\tN\tmeasured\tamdahl\tbound\tqueue\n"
	for (i = 1; i <= shares; i++) {
		split(order[i], part, " ")
		f = share[part[1], part[2]]
		for (n = 2; n <= 4; n += 2)
			text = text sprintf("%s\t%s\t%.2f\t%d\t%.2f\t%.2f\t%.2f\t%.2f\n", part[1], part[2], f, n,
				measured(part[1], part[2], n), model("amdahl", f, n, 1), model("bound", f, n, 1),
				queue(f, n, 1))
	}
	return text ".TE"
}

function chips_table(f, text, i, part, value)
{
	text = ".TS\nl r r l r l.\nchip\tunits\tpublished\tbasis\tqueue\tqueue is\n"
	for (i = 1; i <= chips; i++) {
		split(chip[i], part, ",")
		value = queue(f, 4, part[3] + 0)
		text = text sprintf("%s\t%d\t%.2f to %.2f\t%s\t%.2f\t%s\n", part[1], part[3], part[4], part[5],
			part[6], value, value > part[5] + 0 ? "above" : value < part[4] + 0 ? "below" : "within")
	}
	return text ".TE"
}

function fit_table(text, i, part)
{
	text = ".TS\nl l r r r l.\nlanguage\tpass\tf\tunits\tfrom\tto\n"
	for (i = 1; i <= shares; i++) {
		split(order[i], part, " ")
		text = text sprintf("%s\t%s\t%.2f\t%s\n", part[1], part[2], share[part[1], part[2]],
			fit(part[1], part[2]))
	}
	return text ".TE"
}

function evaluate(place, word)
{
	split(place, word, " ")
	if (word[1] == "given")
		return word[2]
	if (word[1] == "model")
		return sprintf("%.2f", model(word[2], f_of(word[3]), word[4] + 0, word[5] + 0))
	if (word[1] == "measured")
		return sprintf("%.2f", measured(word[2], word[3], word[4]))
	if (word[1] == "share")
		return sprintf("%.2f", f_of(word[2]))
	if (word[1] == "replay") # of one pair, over and over: the threads fall into step
		return sprintf("%.2f", min(word[4], word[5] * (word[2] + word[3]) / word[3]))
	if (word[1] == "mean_error")
		return sprintf("%.2f", mean_error(word[2], word[3]))
	if (word[1] == "usl")
		return usl(word[2], word[3], word[4])
	if (word[1] == "throughput_table")
		return throughput_table()
	if (word[1] == "chips_table")
		return chips_table(f_of(word[2]))
	if (word[1] == "fit_table")
		return fit_table()
	die("no word " word[1])
}

BEGIN {
	load("m1-moe-throughput.csv")
	load("m1-shares.csv")
	load("m1-chips.csv")
}

{
	count = split($0, parts, "@")
	line = parts[1]
	for (i = 2; i <= count; i += 2)
		line = line evaluate(parts[i]) parts[i + 1]
	print line
}
