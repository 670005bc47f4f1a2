// firefox.js: loads a profile with the Firefox Profiler's reader, and prints its functions: firefox.js READER PROFILE.
// SPDX-License-Identifier: MIT
// Prints a line for each function of each thread, separated by tabs: thread, function, own samples, total samples.
// The reader stays in the background; its session directory is $PROFILER_CLI_SESSION_DIR.
import { spawnSync } from "node:child_process";

const [reader, profile] = process.argv.slice(2);
const ATTEMPTS = 40; // the reader gives up after half a second if it is not ready

function run(...words) {
	return spawnSync(process.execPath, [reader, ...words], { encoding: "utf8", maxBuffer: 1 << 28 });
}

/** Runs a command of the reader until it succeeds, and returns its result. */
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
