// charts.js: the charts of the report, by uPlot.
// SPDX-License-Identifier: MIT
import uPlot from "uplot";

const COLOURS = ["#1b6ca8", "#c0392b", "#27865a", "#8e44ad", "#d68910", "#148f97", "#7f8c8d", "#b03a6b"];

function style(name) {
	return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function axis(label, more = {}) {
	return {
		label,
		stroke: style("--text"),
		grid: { stroke: style("--line"), width: 1 },
		ticks: { stroke: style("--line"), width: 1 },
		...more,
	};
}

/** A line of the legend is switched off and on by the keyboard, as it is by the mouse. */
function reachLegend(chart) {
	for (const name of [...chart.querySelectorAll(".u-legend .u-series th")].slice(1)) {
		name.tabIndex = 0;
		name.addEventListener("keydown", (event) => {
			if (event.key !== "Enter" && event.key !== " ") return;
			event.preventDefault();
			name.click();
		});
	}
}

function chartWidth(chart) {
	return Math.max(320, Math.min(chart.clientWidth, 900));
}

/** Two charts fit on a sheet of paper. */
function chartHeight() {
	return matchMedia("print").matches ? 290 : 380;
}

function draw(chart, options, data) {
	new uPlot({ width: chartWidth(chart), height: chartHeight(), ...options }, data, chart);
	reachLegend(chart);
	return true;
}

/** A thread count as in the tables of text: marked where it is over the CPUs available. */
function countLabel(row) {
	return `${row.threads}${row.threads > row.cpus_available ? "*" : ""}`;
}

/** What the mark means, where there is one. */
export function overNote(report) {
	return report.tables.threads.some((row) => row.threads > row.cpus_available) ? " * more threads than CPUs available." : "";
}

const LABEL_PX = 30;

/** Of the thread counts on an axis up to `most`, those whose labels have room. */
function apart(counts, most, chart) {
	const room = (most * LABEL_PX) / chartWidth(chart);
	return counts.reduce((kept, count) => (kept.length && count - kept.at(-1) < room ? kept : [...kept, count]), []);
}

/** Vertical bars from low to high at each point, drawn over the lines. */
function errorBars(rows) {
	return (plot) => {
		const context = plot.ctx;
		context.save();
		context.strokeStyle = COLOURS[0];
		context.lineWidth = 2;
		for (const row of rows) {
			if (row.speedup_low === null || row.speedup_high === null) continue;
			const x = plot.valToPos(row.threads, "x", true);
			const low = plot.valToPos(row.speedup_low, "y", true);
			const high = plot.valToPos(row.speedup_high, "y", true);
			context.beginPath();
			context.moveTo(x, low);
			context.lineTo(x, high);
			context.moveTo(x - 5, low);
			context.lineTo(x + 5, low);
			context.moveTo(x - 5, high);
			context.lineTo(x + 5, high);
			context.stroke();
		}
		context.restore();
	};
}

export function drawSpeedup(report, chart) {
	const rows = report.tables.threads;
	if (!rows.length) return false;
	const lines = [
		["measured", "speedup", []],
		["amdahl", "speedup_amdahl", [6, 4]],
		["queue", "speedup_queue", [2, 3]],
		["replay", "speedup_replay", [8, 3, 2, 3]],
	];
	const most = Math.max(...rows.map((row) => row.threads));
	const labels = new Map(rows.map((row) => [row.threads, countLabel(row)]));
	const highest = Math.max(most, ...rows.map((row) => row.speedup_high ?? row.speedup ?? 0));
	return draw(
		chart,
		{
			scales: { x: { time: false, range: [0, most + 0.5] }, y: { range: [0, highest * 1.05] } },
			axes: [
				axis("threads", { splits: apart(rows.map((row) => row.threads), most, chart), values: (plot, counts) => counts.map((count) => labels.get(count)) }),
				axis("speed-up"),
			],
			series: [
				{ label: "threads" },
				{ label: "ideal", stroke: style("--faint"), width: 1 },
				...lines.map(([label, , dash], i) => ({ label, stroke: COLOURS[i], width: 2, dash, points: { show: true, size: 7 } })),
			],
			hooks: { draw: [errorBars(rows)] },
		},
		[rows.map((row) => row.threads), rows.map((row) => row.threads), ...lines.map(([, column]) => rows.map((row) => row[column]))],
	);
}

const PARTS = [
	["BLAS", "blas_ns", "#1b6ca8"],
	["other code", "other_ns", "#27865a"],
	["waiting", "waiting_ns", "#d68910"],
	["no CPU", "preempted_ns", "#95a5a6"],
];

/** Stacked bars: the tallest is drawn first, each lower one over it. */
export function drawSplit(report, chart) {
	const rows = report.tables.threads;
	if (!rows.length) return false;
	const shares = rows.map((row) => {
		const sum = PARTS.reduce((total, [, column]) => total + row[column], 0);
		let reached = 0;
		return PARTS.map(([, column]) => (reached += (100 * row[column]) / sum));
	});
	const order = PARTS.map((_, part) => part).reverse();
	const paths = uPlot.paths.bars({ size: [0.6, 90] });
	return draw(
		chart,
		{
			scales: { x: { time: false, range: [-0.6, rows.length - 0.4] }, y: { range: [0, 100] } },
			axes: [
				axis("threads", { splits: () => rows.map((_, i) => i), values: () => rows.map(countLabel) }),
				axis("% of threads x wall time"),
			],
			series: [
				{ label: "threads", value: (plot, value) => (value === null ? "" : String(rows[value]?.threads ?? "")) },
				...order.map((part) => ({
					label: PARTS[part][0],
					stroke: PARTS[part][2],
					fill: PARTS[part][2],
					paths,
					points: { show: false },
					value: (plot, value, series, at) =>
						at === null || value === null ? "" : `${(value - (part ? shares[at][part - 1] : 0)).toFixed(1)} %`,
				})),
			],
		},
		[rows.map((_, i) => i), ...order.map((part) => shares.map((row) => row[part]))],
	);
}

const SHAPES_DRAWN = 6;

export function drawLatencies(report, chart) {
	const all = report.tables.latencies ?? [];
	const most = Math.max(...all.map((row) => row.threads));
	const rows = all.filter((row) => row.threads === most);
	if (!rows.length) return false;
	const shapes = [...new Set(rows.map((row) => row.shape))].slice(0, SHAPES_DRAWN);
	/* where no call took as long as the next bucket, the line breaks */
	const lows = [...new Set(rows.filter((row) => shapes.includes(row.shape)).flatMap((row) => [row.low_ns, row.high_ns]))].sort((a, b) => a - b);
	const calls = new Map(rows.map((row) => [`${row.shape}\n${row.low_ns}`, row.calls]));
	return draw(
		chart,
		{
			scales: { x: { time: false, distr: 3, log: 10 }, y: { distr: 3, log: 10 } },
			axes: [axis("microseconds a call"), axis("calls")],
			series: [
				{ label: "microseconds", value: (plot, value) => (value === null ? "" : value.toPrecision(3)) },
				...shapes.map((label, i) => ({ label, stroke: COLOURS[i], width: 1.5, points: { show: true, size: 4 } })),
			],
		},
		[lows.map((low) => Math.max(low, 0.5) / 1e3), ...shapes.map((shape) => lows.map((low) => calls.get(`${shape}\n${low}`) ?? null))],
	);
}

/** The machine's ceilings as lines: [label, GFLOP/s at an intensity]; a memory's ends at the highest peak. */
function ceilingLines(report, threads) {
	const rows = (report.tables.ceilings ?? []).filter((row) => row.threads === threads);
	const top = Math.max(...rows.map((row) => row.flops_per_s ?? 0)) / 1e9;
	return rows.map((row) => {
		const giga = (row.flops_per_s ?? row.bytes_per_s) / 1e9;
		const label = `${row.ceiling}: ${giga.toPrecision(4)} ${row.flops_per_s ? "GFLOP/s" : "GB/s"}`;
		return [label, (intensity) => (row.flops_per_s ? giga : intensity * giga <= top * 1.0001 ? intensity * giga : null), row.flops_per_s ? null : top / giga];
	});
}

/** What a store's cells have reached, of those on the machine of the runs: [thread count, rows that have a place]. */
function drawnCells(report, threads) {
	const cpu = report.tables.runs.length && (report.tables.provenance ?? []).find((row) => row.name === "cpu")?.value;
	const cells = (report.tables.cells ?? []).filter(
		(row) => row.status === "ok" && row.category !== "peak" && row.flops > 0 && row.bytes > 0 && row.gflops > 0 && (!cpu || row.cpu === cpu),
	);
	const counts = [...new Set(cells.map((row) => row.threads))].sort((a, b) => a - b);
	const count = counts.filter((each) => !threads || each <= threads).at(-1) ?? counts[0];
	return [count, cells.filter((row) => row.threads === count)];
}

/** The rows by their flops/byte. Those of one intensity stand side by side, too near to be seen. */
function placeRows(rows, points) {
	for (const row of rows) {
		let at = row.flops / row.bytes;
		while (points.has(at)) at *= 1 + 1e-9;
		points.set(at, row);
	}
}

/** A point for each shape at the highest thread count, and for each cell. Needs ceilings: `blasprof doctor --measure`, or cells. */
export function drawRoofline(report, chart) {
	const all = report.tables.shapes.filter((row) => row.flops > 0 && row.bytes > 0 && row.gflops > 0);
	const shapeThreads = all.length ? Math.max(...all.map((row) => row.threads)) : 0;
	const [cellThreads, cells] = drawnCells(report, shapeThreads);
	const points = new Map();
	placeRows(all.filter((row) => row.threads === shapeThreads), points);
	placeRows(cells, points);
	const threads = shapeThreads || cellThreads;
	const shapeLines = ceilingLines(report, threads);
	const lines = shapeLines.length ? shapeLines : ceilingLines(report, cellThreads);
	if (!points.size || !lines.length) return false;
	const ridges = lines.map(([, , ridge]) => ridge).filter((ridge) => ridge);
	const least = Math.min(...points.keys(), ...ridges) / 3;
	const most = Math.max(...points.keys(), ...ridges) * 3;
	const intensities = [...new Set([least, ...points.keys(), ...ridges, most])].sort((a, b) => a - b);
	const name = (row) => row && `${row.routine ?? row.kernel} ${row.m} x ${row.n} x ${row.k}`;
	const series = [...(all.length ? [["shapes", (row) => !row.category, (row) => row.gflops]] : []),
		...[...new Set(cells.map((row) => row.category))].map((category) => [
			`cells: ${category}`, (row) => row.category === category, (row) => row.gflops / row.threads])];
	const others = cells.length && cellThreads !== threads ? `; cells: ${cellThreads}` : "";
	return draw(
		chart,
		{
			scales: { x: { time: false, distr: 3, log: 10 }, y: { distr: 3, log: 10 } },
			axes: [axis("arithmetic intensity, flops/byte"), axis(`GFLOP/s of a call, ${threads} threads${others}`)],
			series: [
				{ label: "at", value: (plot, value) => (value === null ? "" : name(points.get(value)) || `${value.toPrecision(3)} flops/byte`) },
				...series.map(([label], i) => ({ label, stroke: COLOURS[i % COLOURS.length], paths: () => null, points: i || !all.length ? { show: true, size: 5 } : { show: true, size: 8, fill: COLOURS[0] } })),
				...lines.map(([label], i) => ({ label, stroke: COLOURS[(i + 1) % COLOURS.length], width: 1.5, points: { show: false } })),
			],
		},
		[intensities,
			...series.map(([, belongs, value]) => intensities.map((at) => (points.has(at) && belongs(points.get(at)) ? value(points.get(at)) : null))),
			...lines.map(([, at]) => intensities.map(at))],
	);
}
