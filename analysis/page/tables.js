// tables.js: tables that can be sorted by a column, and show further rows and columns on demand.
// SPDX-License-Identifier: MIT
import { add, time } from "./bars.js";

const ROWS_AT_FIRST = 50;

const AMOUNT = new Intl.NumberFormat("en");
const ALPHABET = new Intl.Collator("en");

/** Formats a figure with few digits. Whole numbers keep all digits, with separators if the column has a unit. */
function figure(column, value) {
	if (typeof value !== "number") return value ?? "";
	if (column.unit === "ns") return time(value);
	if (Number.isInteger(value)) return column.unit ? AMOUNT.format(value) : String(value);
	return Math.abs(value) < 1e-3 || Math.abs(value) >= 1e6 ? value.toPrecision(4) : String(+value.toFixed(4));
}

function compare(column, down) {
	return (left, right) => {
		const a = left[column];
		const b = right[column];
		if (a === null || b === null) return (a === null) - (b === null);
		const order = typeof a === "number" && typeof b === "number" ? a - b : ALPHABET.compare(a, b);
		return down ? -order : order;
	};
}

function addHeading(head, column, sort) {
	const title = column.doc + (column.unit ? ` (${column.unit})` : "");
	const cell = add(head, "th", "", { scope: "col", class: column.text ? "" : "number", title });
	add(cell, "button", column.name, { type: "button" }).addEventListener("click", () => sort(column.name, cell));
}

/** The columns that are shown at first: not those that are empty or 0 in all rows, nor ends of intervals. */
function usedColumns(table, rows) {
	return table.columns.filter((column) => !/_(low|high)$/.test(column.name) && rows.some((row) => row[column.name]));
}

function bodyRow(columns, row) {
	const line = document.createElement("tr");
	for (const column of columns) {
		const cell = add(line, "td", figure(column, row[column.name]), { class: column.text ? "" : "number" });
		if (column.unit === "ns" && row[column.name] !== null) cell.title = `${AMOUNT.format(row[column.name])} ns`;
	}
	return line;
}

/** Appends a table with its rows to a section. */
export function drawTable(section, table, rows) {
	const scroll = add(section, "div", "", { class: "scroll", tabindex: 0 });
	const element = add(scroll, "table");
	const head = element.createTHead().insertRow();
	const body = add(element, "tbody");
	const more = add(section, "button", "", { type: "button", class: "more" });
	const wide = add(section, "button", "", { type: "button", class: "more wide" });
	let columns = usedColumns(table, rows);
	let shown = ROWS_AT_FIRST;
	let sorted = rows;

	const fill = () => {
		body.replaceChildren(...sorted.slice(0, shown).map((row) => bodyRow(columns, row)));
		more.hidden = shown >= rows.length;
		more.textContent = `Show all ${rows.length} rows`;
		wide.hidden = columns.length === table.columns.length;
		wide.textContent = `Show all ${table.columns.length} columns`;
	};
	const sort = (column, cell) => {
		const now = cell.getAttribute("aria-sort");
		const down = now ? now === "ascending" : cell.classList.contains("number"); // as --sort
		for (const other of element.querySelectorAll("th")) other.removeAttribute("aria-sort");
		cell.setAttribute("aria-sort", down ? "descending" : "ascending");
		sorted = [...rows].sort(compare(column, down));
		fill();
	};
	const fillHead = () => {
		head.replaceChildren();
		for (const column of columns) addHeading(head, column, sort);
	};
	for (const [button, show] of [[more, () => (shown = rows.length)], [wide, () => (columns = table.columns)]]) {
		button.addEventListener("click", () => {
			show();
			fillHead();
			fill();
		});
	}
	fillHead();
	fill();
}
