// page-test.mjs: opens a report's page in Chromium and uses it like a reader: page-test.mjs CHROMIUM PAGE SHOTS.
// SPDX-License-Identifier: MIT
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [program, file, shots] = process.argv.slice(2);
const address = pathToFileURL(file).href;
const PAGE_BYTES_MAX = 1.5e6;
const PAPER_PX = 700; // A4 with margins
const WAIT_MS = 30000;
let failures = 0;

function check(holds, what) {
	if (holds) return;
	console.log(`FAIL: ${what}`);
	failures++;
}

/** Chromium, controlled by its DevTools protocol over a pipe with JSON messages that end with a zero byte. */
class Browser {
	constructor() {
		this.folder = mkdtempSync(join(tmpdir(), "blasprof-page-test-"));
		this.process = spawn(program, ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
			"--disable-component-update", "--disable-sync", `--user-data-dir=${this.folder}`, "--remote-debugging-pipe"],
		{ stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
		this.waiting = new Map();
		this.listeners = new Map();
		this.sent = 0;
		let unread = "";
		this.process.stdio[4].setEncoding("utf8").on("data", (data) => {
			const messages = (unread + data).split("\0");
			unread = messages.pop();
			for (const message of messages) this.receive(JSON.parse(message));
		});
		this.process.on("exit", () => {
			for (const { reject } of this.waiting.values()) reject(new Error("Chromium has ended"));
		});
	}

	receive({ id, result, error, sessionId, method, params }) {
		if (!id) return this.listeners.get(sessionId)?.(method, params);
		const { resolve, reject } = this.waiting.get(id);
		this.waiting.delete(id);
		if (error) reject(new Error(error.message));
		else resolve(result);
	}

	send(method, params = {}, sessionId = undefined) {
		const id = ++this.sent;
		return new Promise((resolve, reject) => {
			this.waiting.set(id, { resolve, reject });
			this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
		});
	}

	async newPage() {
		const { browserContextId } = await this.send("Target.createBrowserContext");
		const { targetId } = await this.send("Target.createTarget", { url: "about:blank", browserContextId });
		const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
		const page = new Page(this, sessionId);
		this.listeners.set(sessionId, (method, params) => page.listen(method, params));
		for (const domain of ["Page", "Runtime", "Network", "Log"]) await page.send(`${domain}.enable`);
		await page.send("Page.bringToFront"); // only there do clicks arrive
		return page;
	}

	async close() {
		const ended = new Promise((resolve) => this.process.on("exit", resolve));
		await this.send("Browser.close");
		await ended;
		rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
	}
}

class Page {
	constructor(browser, sessionId) {
		this.send = (method, params) => browser.send(method, params, sessionId);
		this.listen = () => {};
	}

	/** Calls a function in the page with these arguments, and returns its value. */
	async evaluate(called, ...args) {
		const { result, exceptionDetails } = await this.send("Runtime.evaluate", {
			expression: `(${called})(...${JSON.stringify(args)})`,
			awaitPromise: true,
			returnByValue: true,
		});
		if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
		return result.value;
	}

	async waitFor(called, ...args) {
		for (const end = Date.now() + WAIT_MS; Date.now() < end; await new Promise((done) => setTimeout(done, 20)))
			if (await this.evaluate(called, ...args)) return;
		throw new Error(`waited in vain for ${called}`);
	}

	async go() {
		await this.send("Page.navigate", { url: address });
		await this.waitFor((there) => location.href === there && document.body?.dataset.ready === "1", address);
	}

	resize(width) {
		return this.send("Emulation.setDeviceMetricsOverride", { width, height: 900, deviceScaleFactor: 1, mobile: false });
	}

	media(media, scheme) {
		return this.send("Emulation.setEmulatedMedia", { media, features: [{ name: "prefers-color-scheme", value: scheme }] });
	}

	count(selector) {
		return this.evaluate((selector) => document.querySelectorAll(selector).length, selector);
	}

	text(selector) {
		return this.evaluate((selector) => document.querySelector(selector).textContent, selector);
	}

	texts(selector) {
		return this.evaluate((selector) => [...document.querySelectorAll(selector)].map((element) => element.textContent), selector);
	}

	focus(selector, at = 0) {
		return this.evaluate((selector, at) => document.querySelectorAll(selector)[at].focus(), selector, at);
	}

	async press(key) {
		const text = key === "Enter" ? "\r" : "";
		const codes = { Enter: 13, Tab: 9, Escape: 27, ArrowUp: 38 };
		await this.send("Input.dispatchKeyEvent", { type: "keyDown", key, code: key, text, windowsVirtualKeyCode: codes[key] });
		await this.send("Input.dispatchKeyEvent", { type: "keyUp", key, code: key, windowsVirtualKeyCode: codes[key] });
	}

	mouse(type, [x, y], more = {}) {
		return this.send("Input.dispatchMouseEvent", { type, x, y, ...more });
	}

	/** Scrolls to an element and returns the position of its middle on the screen. */
	middle(selector, at = 0) {
		return this.evaluate((selector, at) => {
			const element = document.querySelectorAll(selector)[at];
			element.scrollIntoView({ block: "center" });
			const box = element.getBoundingClientRect();
			return [box.x + box.width / 2, box.y + box.height / 2];
		}, selector, at);
	}

	async click(selector, at = 0) {
		const middle = await this.middle(selector, at);
		await this.mouse("mousePressed", middle, { button: "left", clickCount: 1 });
		await this.mouse("mouseReleased", middle, { button: "left", clickCount: 1 });
	}

	async save(method, params, path) {
		const { data } = await this.send(method, params);
		writeFileSync(path, Buffer.from(data, "base64"));
	}
}

/** Opens the page. Any error, console warning or request to the network is a failure. */
async function open(browser, width, scheme) {
	const page = await browser.newPage();
	const where = `${width} px, ${scheme}`;
	page.listen = (method, params) => {
		if (method === "Runtime.consoleAPICalled") check(!["error", "warning"].includes(params.type), `${where}: console says ${params.args[0]?.value}`);
		if (method === "Log.entryAdded") check(!["error", "warning"].includes(params.entry.level), `${where}: console says ${params.entry.text}`);
		if (method === "Runtime.exceptionThrown") check(false, `${where}: ${params.exceptionDetails.exception?.description}`);
		if (method === "Network.requestWillBeSent")
			check([address, "about:blank"].includes(params.request.url) || params.request.url.startsWith("data:"), `${where}: fetches ${params.request.url}`);
	};
	await page.resize(width);
	await page.media("", scheme);
	await page.go();
	return page;
}

/** Counts the marks in each chart that are inside its edges. */
function drawnMarks(page) {
	return page.evaluate(() =>
		[...document.querySelectorAll(".chart svg")].map((svg) => {
			const edge = svg.getBoundingClientRect();
			return [...svg.querySelectorAll(".series > *, .frame rect")].filter((mark) => {
				const box = mark.getBoundingClientRect();
				return box.width + box.height > 0 && box.left > edge.left - 1 && box.right < edge.right + 1 && box.top > edge.top - 1 && box.bottom < edge.bottom + 1;
			}).length;
		}),
	);
}

async function checkLook(page, where, width) {
	const bars = await page.evaluate(() => [...document.querySelectorAll(".bar-track > *")].filter((bar) => bar.getBoundingClientRect().width > 0).length);
	check(bars > 4, `${where}: ${bars} bars`);
	const marks = await drawnMarks(page);
	check(marks.length === 4, `${where}: ${marks.length} charts`);
	check(marks.every((count) => count > 4), `${where}: a chart is blank: ${marks}`);
	const wide = await page.evaluate(() => document.documentElement.scrollWidth);
	check(wide <= width, `${where}: the page is ${wide} px wide`);
	const shades = await page.evaluate(() => {
		const bright = (colour) => colour.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
		const style = getComputedStyle(document.body);
		return [style.color, style.backgroundColor, ...[...document.querySelectorAll(".axes text")].map((text) => getComputedStyle(text).fill)].map(bright);
	});
	const [text, ground, ...labels] = shades;
	check(Math.abs(text - ground) > 300, `${where}: text of brightness ${text} on ${ground}`);
	check(labels.length > 20 && labels.every((label) => Math.abs(label - ground) > 300), `${where}: labels of brightness ${labels} on ${ground}`);
	return ground;
}

/** The figures of a column, from the top. */
function figures(page, table, column) {
	return page.evaluate(
		(table, column) => [...document.querySelectorAll(`#table-${table} tbody tr`)].map((row) => Number(row.cells[column].textContent.replaceAll(",", ""))),
		table,
		column,
	);
}

function isSorted(values, down) {
	return values.every((value, i) => !i || (down ? values[i - 1] >= value : values[i - 1] <= value));
}

/** Opens a table, which is drawn at that time. */
async function openTable(page, table) {
	await page.click(`#table-${table} summary`);
	await page.waitFor((table) => document.querySelector(`#table-${table} tbody tr`), table);
	check((await page.evaluate((table) => document.querySelector(`#table-${table} .scroll`).tabIndex, table)) === 0, `${table} cannot be scrolled by keyboard`);
}

async function checkColumns(page, table) {
	const headings = `#table-${table} th`;
	const few = await page.count(headings);
	await page.click(`#table-${table} button.wide`);
	check((await page.count(headings)) > few, `${table} does not show more columns than ${few}`);
}

/** Sorts a table by a column of numbers: first by mouse, largest first, then by keyboard. */
async function checkSort(page, table, name) {
	const buttons = `#table-${table} th button`;
	const column = (await page.texts(buttons)).indexOf(name);
	const before = await figures(page, table, column);
	check(!isSorted(before, true), `${table} is sorted by ${name} beforehand`);
	await page.click(buttons, column);
	check(isSorted(await figures(page, table, column), true), `a click does not sort ${table} by ${name}`);
	await page.focus(buttons, column);
	await page.press("Enter");
	const after = await figures(page, table, column);
	check(isSorted(after, false), `Enter does not sort ${table} by ${name} upwards`);
	check(after[0] !== after.at(-1), `${table} has one value of ${name} only`);
	const said = await page.evaluate((table) => [...document.querySelectorAll(`#table-${table} th[aria-sort]`)].map((cell) => cell.ariaSort), table);
	check(said.join() === "ascending", `${table} says it is sorted ${said}`);
}

/** Checks the keyboard: arrow keys and Enter in the flame graph, and Enter on an entry of a legend. */
async function checkKeys(page) {
	const said = () => page.text("#flames .said");
	await page.mouse("mouseMoved", [0, 0]); // a frame below the mouse would be named
	await page.focus("#flames [tabindex='0']");
	check((await said()).startsWith("all: "), `the flame graph begins at ${await said()}`);
	await page.press("ArrowUp");
	await page.press("ArrowUp");
	const pointed = await said();
	check(!pointed.startsWith("all: ") && (await page.count("#flames .pointed")) === 1, "the arrow keys do not move in the flame graph");
	await page.press("Enter");
	check((await page.count("#flames .fade")) >= 1 && (await said()) === pointed, "Enter does not zoom in the flame graph");
	await page.press("Escape");
	check((await page.count("#flames .fade")) === 0 && (await page.count("#flames .frame")) > 2, "Escape does not show the whole flame graph");
	const shown = await page.count("#speed-up .series");
	await page.focus("#speed-up .legend button", 1);
	await page.press("Enter");
	check((await page.count("#speed-up .legend [aria-pressed='false']")) === 1 && (await page.count("#speed-up .series")) === shown - 1,
		"Enter does not switch off a line of a chart");
}

/** Checks the mouse: it shows values in the legend, and zooms the flame graph. */
async function checkMouse(page) {
	await page.mouse("mouseMoved", [0, 0]);
	const isShown = () => page.evaluate(() => getComputedStyle(document.querySelector("#split .legend > span")).visibility);
	check((await isShown()) === "hidden", "a legend names a thread count although the mouse is elsewhere");
	await page.mouse("mouseMoved", await page.middle("#split rect[fill='#1b6ca8']", 1));
	const legend = await page.text("#split .legend");
	check(/threads: 2.*BLAS[0-9.]+ %/.test(legend), `over the second bar the legend says ${legend}`);
	check((await isShown()) === "visible", "the legend does not show the thread count below the mouse");
	check(/: \d+ samples, /.test(await page.text("#flames .frame title")), "a frame has no tooltip");
	await page.click("#flames .frame", 1);
	check((await page.count("#flames .fade")) >= 1, "a click does not zoom in the flame graph");
	await page.click("#flames .frame", 0);
	check((await page.count("#flames .fade")) === 0, "a click on the outermost frame does not show the whole flame graph");
}

/** Checks that the page in print is light and as wide as the paper, even if it is dark on the screen. */
async function checkPaper(browser) {
	const page = await open(browser, 1280, "dark");
	await page.resize(PAPER_PX);
	await page.media("print", "dark");
	const flames = (most) => Number(document.querySelector("#flames svg").getAttribute("width")) <= most;
	await page.waitFor(flames, PAPER_PX);
	const frames = await page.evaluate(() => [...document.querySelectorAll("#flames .frame rect")].map((frame) => Number(frame.getAttribute("width"))));
	check(Math.max(...frames) > PAPER_PX / 2, `the flame graph's frames are ${frames} px wide when it has just been drawn for paper`);
	await checkLook(page, "paper", PAPER_PX);
	check((await page.evaluate(() => getComputedStyle(document.querySelector("#flames svg")).maxHeight)) !== "none", "a high flame graph is cut on paper");
	check((await page.evaluate(() => getComputedStyle(document.body).backgroundColor)) === "rgb(255, 255, 255)", "the page is dark on paper");
	await page.save("Page.printToPDF", { printBackground: false }, `${shots}/paper.pdf`);
}

async function checkRows(page, table) {
	const rows = `#table-${table} tbody tr`;
	const few = await page.count(rows);
	await page.click(`#table-${table} button.more`);
	check((await page.count(rows)) > few, `${table} does not show more rows than ${few}`);
}

/** Checks that texts of the report are not markup, and that Tab reaches the contents. */
async function checkReader(page) {
	check((await page.text("#verdict")).length > 20, "there is no verdict");
	check((await page.count("main script, main img")) === 0, "a name of the report became an element");
	await page.press("Tab");
	check((await page.evaluate(() => document.activeElement.closest("nav")?.id)) === "contents", "Tab does not reach the contents");
}

/** A speed-up above the ideal one has a bar for what is gained. */
async function checkGain(browser) {
	const page = await browser.newPage();
	await page.send("Page.addScriptToEvaluateOnNewDocument", {
		source: `const parse = JSON.parse;
			JSON.parse = (text) => {
				const data = parse(text);
				const { columns } = data.tables.find((table) => table.name === "threads");
				for (const row of data.report.tables.threads)
					row[columns.findIndex((column) => column.name === "speedup")] = 2 * row[columns.findIndex((column) => column.name === "threads")];
				data.report.tables.causes = [];
				return data;
			};`,
	});
	await page.go();
	const widths = await page.evaluate(() => [...document.querySelectorAll("#waterfall .bar-track > *")].map((bar) => bar.getBoundingClientRect().width));
	check(widths.length === 3 && Math.abs(widths[0] + widths[1] - widths[2]) < 1, `the bars of a gain are ${widths} px wide`);
}

/** Measures the time from navigation to the first frame, and the CPU time of the page's thread, in ms. */
async function showTimes(browser) {
	const page = await browser.newPage();
	await page.send("Performance.enable", { timeDomain: "threadTicks" });
	await page.go();
	const wall = await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now())))));
	const { metrics } = await page.send("Performance.getMetrics");
	const cpu = 1e3 * metrics.find((metric) => metric.name === "TaskDuration").value;
	return `${wall.toFixed(0)} ms (${cpu.toFixed(0)} ms of CPU)`;
}

const browser = new Browser();
const bytes = statSync(file).size;
check(bytes < PAGE_BYTES_MAX, `the page has ${bytes} bytes`);
const grounds = {};
for (const width of [1280, 400])
	for (const scheme of ["light", "dark"]) {
		const page = await open(browser, width, scheme);
		grounds[scheme] = await checkLook(page, `${width} px, ${scheme}`, width);
		await page.save("Page.captureScreenshot", {}, `${shots}/${width}-${scheme}.png`);
	}
check(grounds.light > grounds.dark, "dark is no darker than light");
const page = await open(browser, 1280, "light");
await checkReader(page);
for (const table of ["threads", "shapes", "functions"]) await openTable(page, table);
await checkColumns(page, "threads");
const roofline = await page.text("#roofline");
check(["shapes", "cells: product", "memory: 6.000 GB/s"].every((label) => roofline.includes(label)), `the roofline shows ${roofline}`);
const bars = await page.count("#speed-up path.interval");
check((await page.text("#speed-up")).includes("Error bars") === bars > 0, `${bars} error bars are explained, or are not`);
const doubts = await page.texts("#doubts .warning > div:first-child");
check(doubts.length && doubts.every((text) => /^(warning|note): /.test(text)), `the warnings are ${doubts}`);
await checkSort(page, "shapes", "calls");
await checkSort(page, "functions", "line");
await checkRows(page, "functions");
await checkKeys(page);
await checkMouse(page);
await checkPaper(browser);
await checkGain(browser);
const times = [];
for (let i = 0; i < 3; i++) times.push(await showTimes(browser));
await browser.close();
console.log(`${bytes} bytes, shown after ${times.join(", ")}, ${failures} failures`);
process.exit(failures ? 1 : 0);
