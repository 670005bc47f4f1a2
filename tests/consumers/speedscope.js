// speedscope.js: imports files into speedscope in Chromium, and prints their frames: speedscope.js CHROMIUM PAGE FILE...
// SPDX-License-Identifier: MIT
// Prints a line for each frame of each profile, separated by tabs: file, profile, unit, frame, number of entries, own value,
// total value.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [program, page, ...files] = process.argv.slice(2);
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const IMPORT_MS = 60000;

/** Imports a file into speedscope, and returns what speedscope exports. */
async function imported(browser, file) {
	const context = await browser.newContext({ acceptDownloads: true });
	const tab = await context.newPage();
	const refused = new Promise((_, reject) => {
		tab.on("dialog", (dialog) => reject(new Error(`${file}: speedscope says: ${dialog.message()}`)));
		tab.on("pageerror", (error) => reject(new Error(`${file}: ${error}`)));
	});
	await tab.goto(pathToFileURL(page).href);
	await tab.setInputFiles("input[type=file]", file);
	const button = tab.getByText(/Export$/).first();
	await Promise.race([button.waitFor({ timeout: IMPORT_MS }), refused]);
	const [download] = await Promise.all([tab.waitForEvent("download", { timeout: IMPORT_MS }), button.click()]);
	const read = JSON.parse(readFileSync(await download.path(), "utf8"));
	await context.close();
	return read;
}

/** Computes the totals of each frame from the opening and closing events of a profile. */
function frameTotals(profile) {
	const totals = new Map();
	const stack = [];
	let last = profile.startValue;
	for (const event of profile.events) {
		if (stack.length) totals.get(stack.at(-1).frame).own += event.at - last;
		last = event.at;
		if (event.type === "O") {
			const total = totals.get(event.frame) ?? { entered: 0, own: 0, whole: 0 };
			total.entered++;
			totals.set(event.frame, total);
			stack.push(event);
			continue;
		}
		const opened = stack.pop();
		if (opened?.frame !== event.frame) throw new Error(`${profile.name}: an event closes another's frame`);
		if (!stack.some((outer) => outer.frame === event.frame)) totals.get(event.frame).whole += event.at - opened.at;
	}
	return totals;
}

const browser = await chromium.launch({ executablePath: program, args: FLAGS });
try {
	for (const file of files) {
		const { profiles, shared } = await imported(browser, file);
		for (const profile of profiles)
			for (const [frame, { entered, own, whole }] of frameTotals(profile))
				console.log([basename(file), profile.name, profile.unit, shared.frames[frame].name, entered, own, whole].join("\t"));
	}
} finally {
	await browser.close();
}
