// flames.js: the flame graph of the sampled call stacks.
// SPDX-License-Identifier: MIT
import { flamegraph } from "d3-flame-graph";
import { select } from "d3-selection";

/** The tree of the stacks at the highest thread count: {name, value, children}. */
function tree(rows) {
	const root = { name: "all", value: 0, children: [] };
	for (const row of rows) {
		let node = root;
		root.value += row.samples;
		for (const name of row.stack.split(";")) {
			let child = node.children.find((other) => other.name === name);
			if (!child) {
				child = { name, value: 0, children: [] };
				node.children.push(child);
			}
			child.value += row.samples;
			node = child;
		}
	}
	return root;
}

/** Returns false where there are no stacks. */
export function drawFlames(report, chart) {
	const stacks = report.tables.stacks ?? [];
	const most = Math.max(...stacks.map((row) => row.threads));
	const rows = stacks.filter((row) => row.threads === most);
	if (!rows.length) return false;
	const graph = flamegraph()
		.width(Math.max(320, chart.clientWidth))
		.cellHeight(18)
		.minFrameSize(1)
		.sort(true)
		.title("");
	graph.setLabelHandler((node) => `${node.data.name}: ${node.data.value} samples, ${((100 * node.data.value) / rows.reduce((sum, row) => sum + row.samples, 0)).toFixed(1)} %`);
	select(chart).datum(tree(rows)).call(graph);
	return true;
}
