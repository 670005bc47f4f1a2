// charts.js: the charts of the report, drawn by d3 as SVG.
// SPDX-License-Identifier: MIT
/*! d3, https://d3js.org, Copyright 2010-2020 Mike Bostock, BSD 3-clause licence: https://github.com/d3/d3/blob/v5.16.0/LICENSE */
import { axisBottom, axisLeft } from "d3-axis";
import { scaleLinear, scaleLog } from "d3-scale";
import { select } from "d3-selection";
import { line } from "d3-shape";

const COLOURS = ["#1b6ca8", "#c0392b", "#27865a", "#8e44ad", "#d68910", "#148f97", "#7f8c8d", "#b03a6b"];
const MARGIN = { top: 12, right: 26, bottom: 44, left: 68 };
const AMOUNT = new Intl.NumberFormat("en");

function chartWidth(chart) {
	return Math.max(320, Math.min(chart.clientWidth, 900));
}

/** Draws the legend: the position of the mouse, then a button for each series, which hides it. */
function drawLegend(chart, atLabel, series, redraw) {
	const legend = select(chart).append("div").attr("class", "legend");
	const place = legend.append("span").style("visibility", "hidden").text(`${atLabel}: `);
	const at = place.append("span").attr("class", "value");
	const buttons = legend.selectAll("button").data(series).enter().append("button").attr("type", "button").attr("aria-pressed", "true");
	buttons.append("i").style("background", (one) => one.colour);
	buttons.append("span").text((one) => one.label);
	const values = buttons.append("span").attr("class", "value");
	buttons.on("click", function (one) {
		one.hidden = !one.hidden;
		this.setAttribute("aria-pressed", String(!one.hidden));
		redraw();
	});
	return (text, valueOf) => {
		place.style("visibility", text ? "visible" : "hidden");
		at.text(text);
		values.text((one) => valueOf(one) ?? "");
	};
}

/** The lines, bars, error bars and points of one series. */
function drawSeries(group, series, xs, x, y) {
	const colour = series.colour;
	const at = xs.map((_, i) => i).filter((i) => series.values[i] !== null);
	if (series.from) {
		const wide = Math.min(90, 0.6 * (x(1) - x(0)));
		group.selectAll("rect").data(at).enter().append("rect").attr("fill", colour).attr("width", wide)
			.attr("x", (i) => x(xs[i]) - wide / 2)
			.attr("y", (i) => y(series.values[i]))
			.attr("height", (i) => y(series.from[i]) - y(series.values[i]));
		return;
	}
	if (series.width)
		group.append("path").attr("fill", "none").attr("stroke", colour).attr("stroke-width", series.width).attr("stroke-dasharray", series.dash)
			.attr("d", line().defined((i) => series.values[i] !== null).x((i) => x(xs[i])).y((i) => y(series.values[i]))(xs.map((_, i) => i)));
	group.selectAll("path.interval").data(at.filter((i) => (series.low?.[i] ?? null) !== null && series.high[i] !== null))
		.enter().append("path").attr("class", "interval").attr("stroke", colour).attr("stroke-width", 2)
		.attr("d", (i) => {
			const [middle, low, high] = [x(xs[i]), y(series.low[i]), y(series.high[i])];
			return `M${middle},${low}V${high}M${middle - 5},${low}h10M${middle - 5},${high}h10`;
		});
	if (series.radius)
		group.selectAll("circle").data(at).enter().append("circle").attr("r", series.radius)
			.attr("stroke", colour).attr("fill", series.filled ? colour : "var(--back)")
			.attr("cx", (i) => x(xs[i]))
			.attr("cy", (i) => y(series.values[i]));
}

/**
 * Draws a chart. `x` and `y` are axes {label, scale, ticks, format}; without ticks, d3 chooses them. `at` is
 * {label, text(i)}: how the legend names a position. `series` is a list of {label, colour, values, text(i)} with a value
 * or null for each of `xs`. Optional members: `width` and `dash` of a line, `radius` of points and whether they are
 * `filled`, `from` where bars begin, `low` and `high` of intervals.
 */
function draw(chart, { x, y, xs, at, series }) {
	const width = chartWidth(chart);
	const height = matchMedia("print").matches ? 290 : 380; // two charts fit on a sheet of paper
	const right = width - MARGIN.right;
	const bottom = height - MARGIN.bottom;
	x.scale.range([MARGIN.left, right]);
	const svg = select(chart).append("svg").attr("width", width).attr("height", height);
	y.scale.range([bottom, MARGIN.top]);
	const axes = svg.append("g").attr("class", "axes");
	const plot = svg.append("g");
	const guide = plot.append("path").attr("class", "guide");

	const addAxis = (axis, { scale, ticks, format, label }, count, place, labelPlace) => {
		const group = axes.append("g").attr("transform", place).call(ticks ? axis.tickValues(ticks) : axis.ticks(count, scale.base ? "," : null));
		if (format) group.selectAll("text").text(format);
		axes.append("text").attr("class", "label").attr("transform", labelPlace).text(label);
	};
	addAxis(axisBottom(x.scale).tickSize(MARGIN.top - bottom).tickPadding(8), x, width / 110, `translate(0,${bottom})`, `translate(${(MARGIN.left + right) / 2},${height - 6})`);
	addAxis(axisLeft(y.scale).tickSize(MARGIN.left - right).tickPadding(8), y, height / 45, `translate(${MARGIN.left},0)`, `translate(14,${(MARGIN.top + bottom) / 2}) rotate(-90)`);
	const redraw = () => {
		plot.selectAll("g").remove();
		for (const one of series) if (!one.hidden) drawSeries(plot.append("g").attr("class", "series"), one, xs, x.scale, y.scale);
	};
	redraw();
	const showValues = drawLegend(chart, at.label, series, redraw);

	/* The point nearest to the mouse horizontally; of several such, the one nearest vertically. */
	const nearest = (left, top) => {
		let best = { distance: Infinity };
		xs.forEach((value, i) => {
			const far = Math.abs(x.scale(value) - left);
			for (const one of series) {
				if (one.hidden || one.values[i] === null) continue;
				const distance = far + Math.abs(y.scale(one.values[i]) - top) / 1e4;
				if (distance < best.distance) best = { distance, i };
			}
		});
		return best.i;
	};
	const leave = () => {
		guide.attr("d", null);
		showValues("", () => "");
	};
	svg.node().addEventListener("pointermove", (event) => {
		const box = svg.node().getBoundingClientRect();
		const i = nearest(event.clientX - box.left, event.clientY - box.top);
		if (i === undefined) return leave();
		guide.attr("d", `M${x.scale(xs[i])},${MARGIN.top}V${bottom}`);
		showValues(at.text(i), (one) => (one.hidden || one.values[i] === null ? "" : one.text?.(i) ?? AMOUNT.format(one.values[i])));
	});
	svg.node().addEventListener("pointerleave", leave);
	return true;
}

/** A thread count, marked as in text if it is over the CPUs available. */
function countLabel(row) {
	return `${row.threads}${row.threads > row.cpus_available ? "*" : ""}`;
}

/** Explains the mark if any thread count has it. */
export function overNote(report) {
	return report.tables.threads.some((row) => row.threads > row.cpus_available) ? " * more threads than CPUs available." : "";
}

const LABEL_PX = 30;

/** Chooses the thread counts on an axis up to `most` whose labels do not overlap. */
function labelled(counts, most, chart) {
	const room = (most * LABEL_PX) / chartWidth(chart);
	return counts.reduce((chosen, count) => (chosen.length && count - chosen.at(-1) < room ? chosen : [...chosen, count]), []);
}

export function drawSpeedup(report, chart) {
	const rows = report.tables.threads;
	if (!rows.length) return false;
	const counts = rows.map((row) => row.threads);
	const most = Math.max(...counts);
	const highest = Math.max(most, ...rows.map((row) => row.speedup_high ?? row.speedup ?? 0));
	const labels = new Map(rows.map((row) => [row.threads, countLabel(row)]));
	const column = (name) => rows.map((row) => row[name]);
	const dashes = ["6 4", "2 3", "8 3 2 3", "4 2"];
	const series = [
		{ label: "ideal", colour: "var(--faint)", width: 1, values: counts },
		{ label: "measured", colour: COLOURS[0], low: column("speedup_low"), high: column("speedup_high"), values: column("speedup") },
		...report.models.map(({ name, colour }, i) => ({ label: name, colour, dash: dashes[i], values: column("speedup_" + name) })),
	]
		.map((one) => ({ width: 2, radius: 3.5, ...one }))
		.filter((one) => one.values.some((value) => value !== null));
	if (series.length < 2) return false;
	return draw(chart, {
		x: { label: "threads", scale: scaleLinear([0, most + 0.5], [0, 1]), ticks: labelled(counts, most, chart), format: (count) => labels.get(count) },
		y: { label: "speed-up", scale: scaleLinear([0, highest * 1.05], [0, 1]) },
		xs: counts,
		at: { label: "threads", text: (i) => countLabel(rows[i]) },
		series,
	});
}

const PART_COLOURS = { BLAS: "#1b6ca8", "other code": "#27865a", waiting: "#d68910", "no CPU": "#95a5a6", MPI: "#8e44ad", spinning: "#c0392b" };

/** A stacked bar for each thread count, of the parts that took any time. */
export function drawSplit(report, chart) {
	const rows = report.tables.threads;
	const parts = [...new Set(report.tables.parts.map((row) => row.part))].filter((part) => report.tables.parts.some((row) => row.part === part && row.time_ns > 0));
	if (!rows.length) return false;
	let from = rows.map(() => 0);
	const series = parts.map((part, number) => {
		const shares = rows.map((row) => 100 * (report.tables.parts.find((one) => one.part === part && one.threads === row.threads)?.share ?? 0));
		const values = from.map((low, i) => low + shares[i]);
		const one = { label: part, colour: PART_COLOURS[part] ?? COLOURS[number % COLOURS.length], from, values, text: (i) => `${shares[i].toFixed(1)} %` };
		from = values;
		return one;
	});
	return draw(chart, {
		x: { label: "threads", scale: scaleLinear([-0.6, rows.length - 0.4], [0, 1]), ticks: rows.map((_, i) => i), format: (i) => countLabel(rows[i]) },
		y: { label: "% of threads x wall time", scale: scaleLinear([0, 100], [0, 1]) },
		xs: rows.map((_, i) => i),
		at: { label: "threads", text: (i) => countLabel(rows[i]) },
		series,
	});
}

/** The machine's ceilings as lines: [label, GFLOP/s as a function of intensity, the intensity where a bandwidth meets the peak]. */
function ceilingLines(report, threads) {
	const rows = (report.tables.ceilings ?? []).filter((row) => row.threads === threads);
	const top = Math.max(...rows.map((row) => row.flops_per_s ?? 0)) / 1e9;
	return rows.map((row) => {
		const giga = (row.flops_per_s ?? row.bytes_per_s) / 1e9;
		const label = `${row.ceiling}: ${giga.toPrecision(4)} ${row.flops_per_s ? "GFLOP/s" : "GB/s"}`;
		return [label, (intensity) => (row.flops_per_s ? giga : intensity * giga <= top * 1.0001 ? intensity * giga : null), row.flops_per_s ? null : top / giga];
	});
}

/** The cells that can be drawn, measured on the machine of the runs: [thread count, rows]. */
function drawnCells(report, threads) {
	const cpu = report.tables.runs.length && (report.tables.provenance ?? []).find((row) => row.name === "cpu")?.value;
	const cells = (report.tables.cells ?? []).filter(
		(row) => row.status === "ok" && row.category !== "peak" && row.flops > 0 && row.bytes > 0 && row.gflops > 0 && (!cpu || row.cpu === cpu),
	);
	const counts = [...new Set(cells.map((row) => row.threads))].sort((a, b) => a - b);
	const count = counts.filter((each) => !threads || each <= threads).at(-1) ?? counts[0];
	return [count, cells.filter((row) => row.threads === count)];
}

/** A point for each shape at the highest thread count, and for each cell. Needs ceilings, from `blasprof doctor --measure` or from cells. */
export function drawRoofline(report, chart) {
	const all = report.tables.shapes.filter((row) => row.flops > 0 && row.bytes > 0 && row.gflops > 0);
	const shapeThreads = all.length ? Math.max(...all.map((row) => row.threads)) : 0;
	const [cellThreads, cells] = drawnCells(report, shapeThreads);
	const rows = [...all.filter((row) => row.threads === shapeThreads), ...cells];
	const threads = shapeThreads || cellThreads;
	const shapeLines = ceilingLines(report, threads);
	const lines = shapeLines.length ? shapeLines : ceilingLines(report, cellThreads);
	if (!rows.length || !lines.length) return false;
	const ridges = lines.map(([, , ridge]) => ridge).filter((ridge) => ridge);
	const placed = [...rows.map((row) => row.flops / row.bytes), ...ridges];
	const [least, most] = [Math.min(...placed) / 3, Math.max(...placed) * 3];
	/* a position for each row, and further ones for the lines */
	const positions = [...rows.map((row) => [row.flops / row.bytes, row]), ...[least, ...ridges, most].map((at) => [at])].sort(([a], [b]) => a - b);
	const xs = positions.map(([at]) => at);
	const reached = (belongs, value) => positions.map(([, row]) => (row && belongs(row) ? value(row) : null));
	const series = [
		...(all.length ? [{ label: "shapes", radius: 4, filled: true, values: reached((row) => !row.category, (row) => row.gflops) }] : []),
		...[...new Set(cells.map((row) => row.category))].map((category) => ({
			label: `cells: ${category}`, radius: 2.5, values: reached((row) => row.category === category, (row) => row.gflops / row.threads) })),
	];
	const limits = lines.map(([label, value], i) => ({ label, colour: COLOURS[(i + 1) % COLOURS.length], width: 1.5, values: xs.map(value) }));
	const values = [...series, ...limits].flatMap((one) => one.values).filter((value) => value !== null);
	const others = cells.length && cellThreads !== threads ? `; cells: ${cellThreads}` : "";
	return draw(chart, {
		x: { label: "arithmetic intensity, flops/byte", scale: scaleLog([least, most], [0, 1]) },
		y: { label: `GFLOP/s of a call, ${threads} threads${others}`, scale: scaleLog([Math.min(...values), Math.max(...values)], [0, 1]).nice() },
		xs,
		at: { label: "at", text: (i) => {
			const [at, row] = positions[i];
			return row ? `${row.routine ?? row.kernel} ${row.m} x ${row.n} x ${row.k}` : `${at.toPrecision(3)} flops/byte`;
		} },
		series: [...series.map((one, i) => ({ colour: COLOURS[i % COLOURS.length], ...one })), ...limits],
	});
}
