// bars.js: charts that are lists of bars: what the speed-up was lost to, and how long calls take.
// SPDX-License-Identifier: MIT
import { scaleLinear, scaleLog } from "d3-scale";

/** Adds an element with a text to a parent and returns it. */
export function add(parent, tag, text = "", attributes = {}) {
	const element = document.createElement(tag);
	element.textContent = text;
	for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
	parent.append(element);
	return element;
}

/** Adds a row with its name, a note, its bars as [class, from, to] in shares of the width, and its value. */
function addBar(chart, { name, note, bars, value }) {
	const row = add(chart, "div", "", { class: "bar" });
	const label = add(row, "div", name, { class: "bar-name" });
	if (note) add(label, "div", note, { class: "note" });
	const track = add(row, "div", "", { class: "bar-track" });
	for (const [kind, from, to] of bars) {
		const bar = add(track, "div", "", { class: kind });
		bar.style.left = `${100 * from}%`;
		bar.style.width = `${100 * Math.max(0, to - from)}%`;
	}
	add(row, "div", value, { class: "bar-value" });
}

/** The row that the verdict describes: the highest thread count whose speed-up is known. */
export function verdictRow(report) {
	return report.tables.threads.filter((row) => row.threads > 1 && row.speedup !== null).at(-1);
}

/** From the ideal speed-up to the measured one: a bar for each cause, the largest first. */
export function drawWaterfall(report, chart) {
	const row = verdictRow(report);
	if (!row) return false;
	const causes = report.tables.causes.filter((cause) => cause.threads === row.threads && cause.lost > 0 && cause.cause !== "none");
	const left = row.threads - row.speedup - causes.reduce((sum, cause) => sum + cause.lost, 0);
	const x = scaleLinear([0, Math.max(row.threads, row.speedup)], [0, 1]);
	let at = row.threads;
	addBar(chart, { name: `${row.threads} threads, ideally`, bars: [["whole", 0, x(at)]], value: at.toFixed(2) });
	for (const cause of causes) {
		addBar(chart, {
			name: `${cause.cause}${cause.place ? `: ${cause.place}` : ""}`,
			note: `${cause.sentence} (${cause.sure})`,
			bars: [["lost", x(Math.max(0, at - cause.lost)), x(at)]],
			value: `-${cause.lost.toFixed(2)}`,
		});
		at -= cause.lost;
	}
	if (Math.abs(left) >= 0.005)
		addBar(chart, { name: left > 0 ? "not explained" : "gained", bars: [["rest", x(Math.min(row.speedup, at)), x(Math.max(row.speedup, at))]], value: (-left).toFixed(2) });
	addBar(chart, { name: "measured", bars: [["whole", 0, x(row.speedup)]], value: row.speedup.toFixed(2) });
	return true;
}

const SHAPES_DRAWN = 8;
const UNITS = [[1, "ns"], [1e3, "us"], [1e6, "ms"], [1e9, "s"]];

/** Formats a time with three digits: "12.3 us". */
export function time(ns) {
	const [size, unit] = UNITS.filter(([least]) => Math.abs(ns) >= least).at(-1) ?? UNITS[0];
	return `${+(ns / size).toPrecision(3)} ${unit}`;
}

/** The times of a shape's calls: the thick bar goes from the median to the 95th percentile, the thin one over all calls. */
export function drawCalls(report, chart) {
	const most = Math.max(...report.tables.shapes.map((row) => row.threads));
	const rows = report.tables.shapes.filter((row) => row.threads === most && row.calls > 0 && row.p50_ns > 0).slice(0, SHAPES_DRAWN);
	if (!rows.length) return false;
	const x = scaleLog([Math.max(1, Math.min(...rows.map((row) => row.min_ns))), Math.max(2, ...rows.map((row) => row.max_ns))], [0, 1]).clamp(true);
	for (const row of rows)
		addBar(chart, {
			name: `${row.routine} ${row.transa}${row.transb} ${[row.m, row.n, row.k].filter((size) => size).join(" x ")}`,
			note: `${row.calls.toLocaleString("en")} calls, ${time(row.total_ns)} in all`,
			bars: [["thin", x(row.min_ns), x(row.max_ns)], ["thick", x(row.p50_ns), Math.max(x(row.p95_ns), x(row.p50_ns) + 0.004)]],
			value: `${time(row.p50_ns)}, ${time(row.p95_ns)}`,
		});
	return true;
}
