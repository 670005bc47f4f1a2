// page.js: draws the report that the page carries: charts, flame graph, tables that sort.
// SPDX-License-Identifier: MIT
import { drawSpeedup, drawSplit, drawLatencies, drawRoofline, overNote } from "./charts.js";
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

function addTables() {
	for (const table of data.tables) {
		const rows = report.tables[table.name];
		if (!rows || !rows.length || table.name === "latencies" || table.name === "warnings") continue;
		const section = addSection(`table-${table.name}`, `Table: ${table.name}`, table.doc);
		drawTable(section, table, rows);
	}
}

nameColumns();
const command = report.experiment || report.command;
document.title = `blasprof: ${command}`;
document.getElementById("command").textContent = command;
document.getElementById("verdict").textContent = report.verdict;
addWarnings();
addChart("speed-up", "Speed-up over one thread", `Bars are 95 % intervals of what was measured.${overNote(report)}`, drawSpeedup);
addChart("split", "Where the threads' time goes", `In % of threads x wall time, by thread count.${overNote(report)}`, drawSplit);
addChart("latencies", "How long calls take", `Calls of the top shapes by duration${atMost(report.tables.latencies)}; both axes logarithmic.`, drawLatencies);
addChart("roofline", "Roofline", "Each shape's speed against its arithmetic intensity, and that of the cells in the store; both axes logarithmic.", drawRoofline);
addChart("flames", "Flame graph", `Samples by call stack${atMost(report.tables.stacks)}, outermost below. A click on a frame zooms in; so does Enter on the one that the arrow keys point at, and Escape shows all.`, drawFlames);
addTables();
document.body.dataset.ready = "1";
