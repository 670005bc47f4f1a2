// flames.js: the flame graph of the sampled call stacks, for mouse and keyboard.
// SPDX-License-Identifier: MIT
import { flamegraph } from "d3-flame-graph";
import { select } from "d3-selection";

/** The tree of the stacks: {name, value, children}. */
function tree(rows) {
	const grown = (name) => ({ name, value: 0, children: [], places: new Map() });
	const root = grown("all");
	for (const row of rows) {
		let node = root;
		root.value += row.samples;
		for (const name of row.stack.split(";")) {
			let child = node.places.get(name);
			if (!child) {
				child = grown(name);
				node.places.set(name, child);
				node.children.push(child);
			}
			child.value += row.samples;
			node = child;
		}
	}
	return root;
}

/** The frame beside another, left or right, of those that are drawn. */
function beside(node, step, drawn) {
	const row = (node.parent?.children ?? [node]).filter((other) => drawn.has(other));
	return row[row.indexOf(node) + step];
}

const MOVES = {
	ArrowUp: (node, drawn) => node.children?.find((child) => drawn.has(child)),
	ArrowDown: (node) => node.parent,
	ArrowLeft: (node, drawn) => beside(node, -1, drawn),
	ArrowRight: (node, drawn) => beside(node, 1, drawn),
};

/** Arrows point at a frame, Enter zooms to it, Escape shows all again. */
function listenToKeys(element, graph, show) {
	const frames = () => select(element).selectAll("g.frame");
	let at = frames().data()[0];
	const point = (node) => {
		at = node;
		frames().classed("pointed", (other) => other === node);
		show(node);
	};
	element.addEventListener("focus", () => point(at));
	element.addEventListener("blur", () => frames().classed("pointed", false));
	element.addEventListener("keydown", (event) => {
		const move = MOVES[event.key];
		if (event.key === "Enter") graph.zoomTo(at);
		else if (event.key === "Escape") graph.resetZoom();
		else if (!move) return;
		event.preventDefault();
		point(move?.(at, new Set(frames().data())) ?? at);
	});
}

/** The frames would grow from nothing and get their names later, but paper does not wait for that. */
function showAtOnce(element) {
	for (const frame of element.querySelectorAll("g.frame")) {
		frame.querySelector("rect").setAttribute("width", frame.getAttribute("width"));
		frame.querySelector(".d3-flame-graph-label").textContent = frame.getAttribute("name");
	}
}

/** Of the stacks at the highest thread count. Returns false where there are none. */
export function drawFlames(report, chart) {
	const stacks = report.tables.stacks ?? [];
	const most = Math.max(...stacks.map((row) => row.threads));
	const rows = stacks.filter((row) => row.threads === most);
	if (!rows.length) return false;
	const root = tree(rows);
	const label = (node) => `${node.data.name}: ${node.data.value} samples, ${((100 * node.data.value) / root.value).toFixed(1)} %`;
	const element = document.createElement("div");
	const said = document.createElement("p");
	const show = (node) => (said.textContent = label(node));
	const graph = flamegraph()
		.width(Math.max(320, chart.clientWidth))
		.cellHeight(18)
		.minFrameSize(1)
		.sort(true)
		.title("")
		.onHover(show);
	graph.setLabelHandler(label);
	element.tabIndex = 0;
	said.className = "said";
	said.setAttribute("aria-live", "polite");
	chart.append(element, said);
	select(element).datum(root).call(graph);
	showAtOnce(element);
	listenToKeys(element, graph, show);
	return true;
}
