// flames.js: the flame graph of the sampled call stacks, with mouse and keyboard control.
// SPDX-License-Identifier: MIT
import { hierarchy, partition } from "d3-hierarchy";
import { select } from "d3-selection";

const ROW_PX = 18;
const LETTER_PX = 6.7;
const FRAME_PX_MIN = 3; // narrower towers would only make the graph high

/** The tree of the stacks: {name, value, children}. */
function tree(rows) {
	const grown = (name) => ({ name, value: 0, children: [], byName: new Map() });
	const root = grown("all");
	for (const row of rows) {
		let node = root;
		root.value += row.samples;
		for (const name of row.stack.split(";")) {
			let child = node.byName.get(name);
			if (!child) {
				child = grown(name);
				node.byName.set(name, child);
				node.children.push(child);
			}
			child.value += row.samples;
			node = child;
		}
	}
	return root;
}

/** A warm colour that depends on the function's name only. */
function colour(name) {
	let hash = 0;
	for (const letter of name) hash = (hash * 31 + letter.codePointAt(0)) % 65521;
	return `hsl(${8 + (hash % 40)} ${70 + (hash % 23)}% ${58 + (hash % 13)}%)`;
}

/** The drawn frame `step` places to the right of another one. */
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

/** Draws the stacks at the highest thread count. Returns false if there are none. */
export function drawFlames(report, chart) {
	const stacks = report.tables.stacks ?? [];
	const most = Math.max(...stacks.map((row) => row.threads));
	const rows = stacks.filter((row) => row.threads === most);
	if (!rows.length) return false;
	const root = hierarchy(tree(rows)).each((node) => (node.value = node.data.value));
	partition()(root.sort((a, b) => (a.data.name < b.data.name ? -1 : 1)));

	const width = Math.max(320, chart.clientWidth);
	const svg = select(chart).append("svg").attr("class", "flames").attr("width", width).attr("tabindex", 0);
	const said = select(chart).append("p").attr("class", "said").attr("aria-live", "polite");
	let drawn = new Set();
	let at = root;
	const point = (node) => {
		at = node;
		svg.selectAll("g.frame").classed("pointed", (other) => other === node);
	};
	const describe = (node) => `${node.data.name}: ${node.data.value} samples, ${((100 * node.value) / root.value).toFixed(1)} %`;
	const say = (node) => said.text(describe(node));

	/** Gives a frame the whole width. Its callers stay below it, faded. */
	const zoom = (focus) => {
		const callers = focus.ancestors().slice(1);
		const scale = width / (focus.x1 - focus.x0);
		const left = (node) => Math.max(0, (node.x0 - focus.x0) * scale);
		const wide = (node) => Math.min(width, (node.x1 - node.x0) * scale);
		drawn = new Set([...callers, ...focus.descendants().filter((node) => wide(node) >= FRAME_PX_MIN)]);
		const height = ROW_PX * (1 + Math.max(...[...drawn].map((node) => node.depth)));
		svg.attr("height", height).attr("viewBox", [0, 0, width, height]).selectAll("g.frame").remove();
		const frames = svg.selectAll("g.frame").data([...drawn]).enter().append("g").attr("class", "frame")
			.classed("fade", (node) => callers.includes(node))
			.attr("transform", (node) => `translate(${left(node)},${height - ROW_PX * (node.depth + 1)})`)
			.on("click", (node) => {
				zoom(node);
				point(node);
			})
			.on("mouseenter", (node) => say(node));
		frames.append("title").text(describe);
		frames.append("rect").attr("width", wide).attr("height", ROW_PX - 1).attr("fill", (node) => colour(node.data.name));
		frames.append("text").attr("x", 3).attr("y", 13).text((node) => {
			const letters = Math.floor((wide(node) - 6) / LETTER_PX);
			const name = node.data.name;
			return letters < 3 ? "" : name.length <= letters ? name : `${name.slice(0, letters - 1)}…`;
		});
	};
	zoom(root);

	svg.node().addEventListener("focus", () => {
		point(drawn.has(at) ? at : root);
		say(at);
	});
	svg.node().addEventListener("blur", () => svg.selectAll("g.frame").classed("pointed", false));
	svg.node().addEventListener("keydown", (event) => {
		const move = MOVES[event.key];
		if (!move && event.key !== "Enter" && event.key !== "Escape") return;
		event.preventDefault();
		if (event.key === "Escape") zoom(root);
		else if (event.key === "Enter") zoom(at);
		point(move?.(at, drawn) ?? at);
		say(at);
	});
	return true;
}
