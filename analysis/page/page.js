// page.js: draws the report that the page carries: charts, flame graph, tables that sort.
// SPDX-License-Identifier: MIT
import { drawCalls, drawWaterfall, verdictRow } from "./bars.js";
import { drawSpeedup, drawSplit, drawRoofline, overNote } from "./charts.js";
import { drawFlames } from "./flames.js";
import { drawTable } from "./tables.js";

const data = JSON.parse(document.getElementById("data").textContent);
const report = data.report;

/** The rows come as lists of values, to take little room. */
function nameColumns() {
	for (const { name, columns } of data.tables)
		report.tables[name] = report.tables[name].map((row) => Object.fromEntries(columns.map((column, i) => [column.name, row[i]])));
}

/** Adds an element with a text to a parent and returns it. */
function add(parent, tag, text = "", attributes = {}) {
	const element = document.createElement(tag);
	element.textContent = text;
	for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
	parent.append(element);
	return element;
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
	const rows = report.tables.warnings;
	if (!rows.length) return;
	const section = addSection("doubts", "Doubts about the measurement");
	for (const row of rows) {
		const box = add(section, "div", "", { class: "warning", role: "note" });
		add(box, "div", row.text);
		if (row.remedy) add(box, "div", row.remedy, { class: "note" });
	}
}

/** " at 4 threads": the highest count of a table, which is the one that is drawn. */
function atMost(rows) {
	const most = Math.max(...(rows ?? []).map((row) => row.threads));
	return Number.isFinite(most) ? ` at ${most} thread${most === 1 ? "" : "s"}` : "";
}

/** A chart in a section of its own; none where it has nothing to draw. */
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

/** Each in a drawer of its own, drawn when it is opened first. */
function addTables() {
	const section = addSection("tables", "Tables", "All figures, as the other formats have them. A click on a heading sorts.");
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
addChart("waterfall", "What the speed-up was lost to", most ? `From ${most.threads}, the ideal at ${most.threads} threads, to what was measured.` : "", drawWaterfall);
addWarnings();
addChart("speed-up", "Speed-up over one thread", `Bars are 95 % intervals of what was measured.${overNote(report)}`, drawSpeedup);
addChart("split", "Where the threads' time goes", `In % of threads x wall time, by thread count.${overNote(report)}`, drawSplit);
addChart("calls", "How long calls take", `The shapes that take the most time${atMost(report.tables.shapes)}: half of the calls are no longer than the first figure, 95 of 100 no longer than the second; the thin line is all of them. The axis is logarithmic.`, drawCalls);
addChart("roofline", "Roofline", "Each shape's speed against its arithmetic intensity, and that of the cells in the store; both axes logarithmic.", drawRoofline);
addChart("flames", "Flame graph", `Samples by call stack${atMost(report.tables.stacks)}, outermost below. A click on a frame zooms in; so does Enter on the one that the arrow keys point at, and Escape shows all.`, drawFlames);
addTables();
document.body.dataset.ready = "1";
