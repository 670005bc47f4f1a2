// firefox.js: has the Firefox Profiler's own reader load a profile, and prints what it has read: firefox.js READER PROFILE.
// SPDX-License-Identifier: MIT
// A line for each function of each thread, between tabs: thread, function, samples of its own, whole ones.
// The reader stays in the background; its folder of sessions is $PROFILER_CLI_SESSION_DIR.
import { spawnSync } from "node:child_process";

const [reader, profile] = process.argv.slice(2);
const ATTEMPTS = 40; // the reader waits for half a second only until it answers

function run(...words) {
	return spawnSync(process.execPath, [reader, ...words], { encoding: "utf8", maxBuffer: 1 << 28 });
}

/** The answer to a question. */
function ask(...words) {
	let answer;
	for (let i = 0; i < ATTEMPTS; i++) {
		answer = run(...words, "--json");
		if (answer.status === 0) return JSON.parse(answer.stdout);
	}
	throw new Error(`${words.join(" ")}: ${answer.stderr}`);
}

try {
	const loaded = run("load", profile);
	if (loaded.status !== 0 && !/did not become ready/.test(loaded.stderr)) throw new Error(loaded.stderr);
	for (const { threads } of ask("profile", "info", "--all").processes)
		for (const { threadHandle, name } of threads) {
			const { functions, weightType } = ask("thread", "functions", "--thread", threadHandle, "--include-idle", "--limit", "0");
			if (weightType !== "samples") throw new Error(`${name}: weighted by ${weightType}`);
			for (const line of functions) console.log([name, line.name, line.selfSamples, line.totalSamples].join("\t"));
		}
} finally {
	for (let i = 0; i < ATTEMPTS && run("stop").status !== 0; i++);
}
