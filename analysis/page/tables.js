// tables.js: tables that sort by a column, by mouse or keyboard, and show many rows on demand.
// SPDX-License-Identifier: MIT

const ROWS_AT_FIRST = 50;

const AMOUNT = new Intl.NumberFormat("en");
const ALPHABET = new Intl.Collator("en");

/** A figure for people: few digits, never fewer than it takes to tell whole numbers apart. What has no unit is no amount. */
function figure(column, value) {
	if (typeof value !== "number") return value ?? "";
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

function heading(table, column, sort) {
	const cell = document.createElement("th");
	const button = document.createElement("button");
	cell.scope = "col";
	cell.className = column.text ? "" : "number";
	cell.title = column.doc + (column.unit ? ` (${column.unit})` : "");
	button.type = "button";
	button.textContent = column.name;
	button.addEventListener("click", () => sort(column.name, cell));
	cell.append(button);
	return cell;
}

function bodyRow(table, row) {
	const line = document.createElement("tr");
	for (const column of table.columns) {
		const cell = document.createElement("td");
		if (!column.text) cell.className = "number";
		cell.textContent = figure(column, row[column.name]);
		line.append(cell);
	}
	return line;
}

/** Draws the rows of a table below what the section holds. */
export function drawTable(section, table, rows) {
	const scroll = document.createElement("div");
	const element = document.createElement("table");
	const body = document.createElement("tbody");
	const more = document.createElement("button");
	let shown = ROWS_AT_FIRST;
	let sorted = rows;

	const fill = () => {
		body.replaceChildren(...sorted.slice(0, shown).map((row) => bodyRow(table, row)));
		more.hidden = shown >= rows.length;
		more.textContent = `Show all ${rows.length} rows`;
	};
	const sort = (column, cell) => {
		const down = cell.getAttribute("aria-sort") === "ascending";
		for (const other of element.querySelectorAll("th")) other.removeAttribute("aria-sort");
		cell.setAttribute("aria-sort", down ? "descending" : "ascending");
		sorted = [...rows].sort(compare(column, down));
		fill();
	};
	const line = element.createTHead().insertRow();
	line.append(...table.columns.map((column) => heading(table, column, sort)));
	element.append(body);
	scroll.className = "scroll";
	scroll.tabIndex = 0;
	scroll.append(element);
	more.type = "button";
	more.className = "more";
	more.addEventListener("click", () => {
		shown = rows.length;
		fill();
	});
	fill();
	section.append(scroll, more);
}
