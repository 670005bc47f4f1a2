// page.js: draws the report that is in the page: charts, flame graph, sortable tables.
// SPDX-License-Identifier: MIT
import { add, drawCalls, drawWaterfall, verdictRow } from "./bars.js";
import { drawSpeedup, drawSplit, drawRoofline, overNote } from "./charts.js";
import { drawFlames } from "./flames.js";
import { drawTable } from "./tables.js";

const data = JSON.parse(document.getElementById("data").textContent);
const report = data.report;

/** Makes objects of the rows, which come as lists of values to save space. */
function nameColumns() {
	for (const { name, columns } of data.tables)
		report.tables[name] = report.tables[name].map((row) => Object.fromEntries(columns.map((column, i) => [column.name, row[i]])));
}

/** Adds a section with its entry in the contents and returns it. */
function addSection(name, title, note) {
	const section = add(document.getElementById("sections"), "section", "", { id: name });
	add(section, "h2", title);
	if (note) add(section, "p", note, { class: "note" });
	add(document.getElementById("contents"), "a", title, { href: `#${name}` });
	return section;
}

function addWarnings() {
	const rows = report.tables.warnings.sort((a, b) => b.severity.localeCompare(a.severity)); // warnings, then notes
	if (!rows.length) return;
	const section = addSection("doubts", "Warnings");
	for (const row of rows) {
		const box = add(section, "div", "", { class: "warning", role: "note" });
		add(box, "div", `${row.severity}: ${row.text}`);
		if (row.remedy) add(box, "div", row.remedy, { class: "note" });
	}
}

/** " at 4 threads": the highest thread count of a table, which is the one that is drawn. */
function atMost(rows) {
	const most = Math.max(...(rows ?? []).map((row) => row.threads));
	return Number.isFinite(most) ? ` at ${most} thread${most === 1 ? "" : "s"}` : "";
}

/** Adds a chart in a section of its own, unless there is nothing to draw. */
function addChart(name, title, note, draw) {
	const section = addSection(name, title, note);
	const chart = add(section, "div", "", { class: "chart", role: "figure", "aria-label": `${title}. ${note}` });
	const redraw = () => {
		chart.replaceChildren();
		return draw(report, chart);
	};
	if (redraw()) {
		matchMedia("print").addEventListener("change", redraw);
		let width = innerWidth;
		addEventListener("resize", () => {
			if (innerWidth !== width) redraw();
			width = innerWidth;
		});
		return;
	}
	section.remove();
	document.querySelector(`nav a[href="#${name}"]`).remove();
}

/** Adds the tables. Each is drawn when it is first opened. */
function addTables() {
	const section = addSection("tables", "Tables", "All figures, as in the other formats. Click on a heading to sort by it.");
	for (const table of data.tables) {
		const rows = report.tables[table.name];
		if (!rows || !rows.length || table.name === "latencies" || table.name === "warnings") continue;
		const drawer = add(section, "details", "", { id: `table-${table.name}` });
		const summary = add(drawer, "summary", table.name);
		add(summary, "span", ` ${table.doc}`, { class: "note" });
		drawer.addEventListener("toggle", () => drawTable(drawer, table, rows), { once: true });
	}
}

nameColumns();
const command = report.experiment || report.command;
document.title = `blasprof: ${command}`;
document.getElementById("command").textContent = command;
document.getElementById("verdict").textContent = report.verdict;
const most = verdictRow(report);
addChart("waterfall", "What the speed-up was lost to", most ? `From the ideal speed-up of ${most.threads} at ${most.threads} threads to the measured one.` : "", drawWaterfall);
addWarnings();
report.models = data.models;
const intervals = report.tables.threads.some((row) => row.speedup_high !== null);
addChart("speed-up", "Speed-up over one thread", `${intervals ? "Error bars are 95 % confidence intervals." : ""}${overNote(report)}`, drawSpeedup);
addChart("split", "Where the threads' time goes", `In % of threads x wall time, by thread count.${overNote(report)}`, drawSplit);
addChart("calls", "How long calls take", `The shapes that take the most time${atMost(report.tables.shapes)}. The figures and the thick bar are the median and the 95th percentile; the thin line covers all calls. The axis is logarithmic.`, drawCalls);
addChart("roofline", "Roofline", "The speed of each shape, and of each cell in the store, by its arithmetic intensity. Both axes are logarithmic.", drawRoofline);
addChart("flames", "Flame graph", `Samples by call stack${atMost(report.tables.stacks)}; callers are below. Click on a frame to zoom in, or choose one with the arrow keys and press Enter. Escape shows the whole graph.`, drawFlames);
addTables();
document.body.dataset.ready = "1";
