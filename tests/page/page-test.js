// page-test.js: opens a report's page in Chromium as its readers would: page-test.js CHROMIUM PAGE SHOTS.
// SPDX-License-Identifier: MIT
import { pathToFileURL } from "node:url";
import { statSync } from "node:fs";
import { chromium } from "playwright-core";

const [program, file, shots] = process.argv.slice(2);
const address = pathToFileURL(file).href;
const PAGE_BYTES_MAX = 1.5e6;
const PAPER_PX = 700; // A4 with margins
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
let failures = 0;

function check(holds, what) {
	if (holds) return;
	console.log(`FAIL: ${what}`);
	failures++;
}

/** Opens the page; whatever it complains of or fetches is a failure. */
async function open(browser, width, colorScheme) {
	const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
	const page = await context.newPage();
	const where = `${width} px, ${colorScheme}`;
	page.on("console", (message) => check(!["error", "warning"].includes(message.type()), `${where}: console says ${message.text()}`));
	page.on("pageerror", (error) => check(false, `${where}: ${error}`));
	page.on("request", (request) => check(request.url() === address || request.url().startsWith("data:"), `${where}: fetches ${request.url()}`));
	await page.goto(address);
	await page.waitForSelector("body[data-ready]");
	await addPixels(page);
	return page;
}

/** Makes `pixels(canvas, width)` known to the page: bytes of a copy, for Chromium warns where a canvas itself is read often. */
function addPixels(page) {
	return page.evaluate(() => {
		window.pixels = (canvas, width = canvas.width) => {
			const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
			copy.drawImage(canvas, 0, 0);
			return copy.getImageData(0, 0, width, canvas.height).data;
		};
	});
}

/** The number of colours in each canvas. */
function coloursOfCanvases(page) {
	return page.$$eval("canvas", (canvases) => canvases.map((canvas) => new Set(new Uint32Array(window.pixels(canvas).buffer)).size));
}

async function checkLook(page, where, width) {
	const colours = await coloursOfCanvases(page);
	check(colours.length >= 4, `${where}: ${colours.length} charts`);
	check(colours.every((count) => count > 8), `${where}: a chart is blank: ${colours}`);
	const wide = await page.evaluate(() => document.documentElement.scrollWidth);
	check(wide <= width, `${where}: the page is ${wide} px wide`);
	const shades = await page.evaluate(() => {
		const style = getComputedStyle(document.body);
		const bright = (colour) => colour.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
		return [bright(style.color), bright(style.backgroundColor)];
	});
	check(Math.abs(shades[0] - shades[1]) > 300, `${where}: text of brightness ${shades[0]} on ${shades[1]}`);
	return shades[1];
}

/** The figures of a column, from the top. */
function figures(page, table, column) {
	return page.$$eval(
		`#table-${table} tbody tr`,
		(rows, at) => rows.map((row) => Number(row.cells[at].textContent.replaceAll(",", ""))),
		column,
	);
}

function isSorted(values, down) {
	return values.every((value, i) => !i || (down ? values[i - 1] >= value : values[i - 1] <= value));
}

/** Sorts a table by a column: first by mouse, then by keyboard. */
async function checkSort(page, table, name) {
	const buttons = page.locator(`#table-${table} th button`);
	const column = (await buttons.allTextContents()).indexOf(name);
	const button = buttons.nth(column);
	const before = await figures(page, table, column);
	check(!isSorted(before, false), `${table} is sorted by ${name} beforehand`);
	await button.click();
	check(isSorted(await figures(page, table, column), false), `a click does not sort ${table} by ${name}`);
	await button.focus();
	await page.keyboard.press("Enter");
	const after = await figures(page, table, column);
	check(isSorted(after, true), `Enter does not sort ${table} by ${name} downwards`);
	check(after[0] !== after.at(-1), `${table} has one value of ${name} only`);
	const said = await page.locator(`#table-${table} th[aria-sort]`).evaluateAll((cells) => cells.map((cell) => cell.ariaSort));
	check(said.join() === "descending", `${table} says it is sorted ${said}`);
}

/** The arrow keys and Enter do in the flame graph what the mouse does; so does Enter on a legend's line. */
async function checkKeys(page) {
	const said = page.locator("#flames .said");
	const frames = page.locator("#flames g.frame");
	await page.mouse.move(0, 0); // a frame below the mouse would be named
	await page.locator("#flames [tabindex='0']").focus();
	check((await said.textContent()).startsWith("all: "), `the flame graph begins at ${await said.textContent()}`);
	await page.keyboard.press("ArrowUp");
	await page.keyboard.press("ArrowUp");
	const pointed = await said.textContent();
	check(!pointed.startsWith("all: ") && (await page.locator("#flames .pointed").count()) === 1, "the arrow keys do not move in the flame graph");
	await page.keyboard.press("Enter");
	check((await page.locator("#flames .fade").count()) >= 1 && (await said.textContent()) === pointed, "Enter does not zoom in the flame graph");
	await page.keyboard.press("Escape");
	check((await page.locator("#flames .fade").count()) === 0 && (await frames.count()) > 2, "Escape does not show the whole flame graph");
	const line = page.locator("#speed-up .u-legend th").nth(2);
	await line.focus();
	await page.keyboard.press("Enter");
	check((await page.locator("#speed-up .u-legend .u-off").count()) === 1, "Enter does not switch off a line of a chart");
}

/** On paper the page is light and as wide as the paper, whatever the screen was. */
async function checkPaper(browser) {
	const page = await open(browser, 1280, "dark");
	await page.setViewportSize({ width: PAPER_PX, height: 900 });
	await page.emulateMedia({ media: "print", colorScheme: "dark" });
	const drawn = (most) => Number(document.querySelector("#flames svg").getAttribute("width")) <= most && [...document.querySelectorAll("#flames g.frame rect")].map((frame) => Number(frame.getAttribute("width")));
	const frames = await (await page.waitForFunction(drawn, PAPER_PX)).jsonValue();
	check(Math.max(...frames) > PAPER_PX / 2, `the flame graph's frames are ${frames} px wide when it has just been drawn for paper`);
	await checkLook(page, "paper", PAPER_PX);
	check((await page.evaluate(() => getComputedStyle(document.body).backgroundColor)) === "rgb(255, 255, 255)", "the page is dark on paper");
	const dark = await page.$eval("canvas", (canvas) => {
		const data = window.pixels(canvas, 60);
		return data.some((part, i) => i % 4 === 3 && part > 128 && data[i - 3] + data[i - 2] + data[i - 1] < 200);
	});
	check(dark, "the charts' labels are as light as on a dark screen");
	await page.pdf({ path: `${shots}/paper.pdf`, printBackground: false });
}

async function checkRows(page, table) {
	const rows = page.locator(`#table-${table} tbody tr`);
	const few = await rows.count();
	await page.locator(`#table-${table} button.more`).click();
	check((await rows.count()) > few, `${table} does not show more rows than ${few}`);
}

/** Text of the report stays text; the keyboard reaches the contents and the tables. */
async function checkReader(page) {
	check((await page.locator("#verdict").textContent()).length > 20, "there is no verdict");
	check((await page.locator("main script, main img").count()) === 0, "a name of the report became an element");
	await page.keyboard.press("Tab");
	check((await page.evaluate(() => document.activeElement.closest("nav")?.id)) === "contents", "Tab does not reach the contents");
	const focusable = await page.$$eval(".scroll", (tables) => tables.every((table) => table.tabIndex === 0));
	check(focusable, "a wide table cannot be scrolled by keyboard");
}

/** From the start of navigation to the frame that shows the page, and the CPU time of the page's thread for it, in ms. */
async function showTimes(browser) {
	const page = await (await browser.newContext()).newPage();
	const session = await page.context().newCDPSession(page);
	await session.send("Performance.enable", { timeDomain: "threadTicks" });
	await page.goto(address);
	const wall = await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now())))));
	const { metrics } = await session.send("Performance.getMetrics");
	const cpu = 1e3 * metrics.find((metric) => metric.name === "TaskDuration").value;
	return `${wall.toFixed(0)} ms (${cpu.toFixed(0)} ms of CPU)`;
}

const browser = await chromium.launch({ executablePath: program, args: FLAGS });
const bytes = statSync(file).size;
check(bytes < PAGE_BYTES_MAX, `the page has ${bytes} bytes`);
const grounds = {};
for (const width of [1280, 400])
	for (const scheme of ["light", "dark"]) {
		const page = await open(browser, width, scheme);
		grounds[scheme] = await checkLook(page, `${width} px, ${scheme}`, width);
		await page.screenshot({ path: `${shots}/${width}-${scheme}.png` });
	}
check(grounds.light > grounds.dark, "dark is no darker than light");
const page = await open(browser, 1280, "light");
await checkReader(page);
const roofline = await page.locator("#roofline").textContent();
check(["shapes", "cells: product", "memory: 6.000 GB/s"].every((label) => roofline.includes(label)), `the roofline shows ${roofline}`);
await checkSort(page, "shapes", "calls");
await checkSort(page, "functions", "share");
await checkRows(page, "functions");
await checkKeys(page);
await checkPaper(browser);
const times = [];
for (let i = 0; i < 3; i++) times.push(await showTimes(browser));
await browser.close();
console.log(`${bytes} bytes, shown after ${times.join(", ")}, ${failures} failures`);
process.exit(failures ? 1 : 0);
