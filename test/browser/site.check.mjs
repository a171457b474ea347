import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findChromium } from "./chromium.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "mcpgen-site-"));
const types = { ".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".svg": "image/svg+xml" };

let browser;
let server;
let home = "";

beforeAll(async () => {
  // It fails if a link is broken.
  execFileSync(process.execPath, [".ci/docs/build.mjs", folder], { cwd: root });
  server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://host").pathname);
    // What a browser asks for by itself.
    if (path === "/favicon.ico") return void response.writeHead(204).end();
    try {
      const body = readFileSync(join(folder, path));
      response.setHeader("content-type", types[extname(path)] ?? "application/octet-stream").end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  home = `http://127.0.0.1:${server.address().port}/`;
  browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox"] });
});

afterAll(async () => {
  await browser?.close();
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens a page, does something with it, and expects no message on the console and no request that fails or leaves the site. */
async function show(path, options, work) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const faults = [];
  page.on("console", (message) => faults.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("response", (response) => {
    if (!response.url().startsWith(home) || response.status() >= 400)
      faults.push(`requested ${response.url()}`);
  });
  try {
    await page.goto(home + path, { waitUntil: "load" });
    await page.locator(".tsd-navigation a, h1").first().waitFor();
    await work(page);
    expect(faults).toEqual([]);
  } finally {
    await context.close();
  }
}

/** The pages of the site that a page links to, as paths from the first page. */
function linksIn(path) {
  const links = [...readFileSync(join(folder, path), "utf8").matchAll(/<a\b[^>]*? href="([^"]*)"/g)];
  return links
    .map(([, href]) => new URL(href.replaceAll("&amp;", "&"), home + path).href)
    .filter((url) => url.startsWith(home))
    .map((url) => decodeURIComponent(url.slice(home.length).split("#")[0]))
    .filter((target) => target.endsWith(".html"));
}

const screens = [
  ["a wide screen, light", { viewport: { width: 1280, height: 900 }, colorScheme: "light" }],
  ["a wide screen, dark", { viewport: { width: 1280, height: 900 }, colorScheme: "dark" }],
  ["a phone, light", { viewport: { width: 390, height: 844 }, colorScheme: "light" }],
  ["a phone, dark", { viewport: { width: 390, height: 844 }, colorScheme: "dark" }],
];
const pages = [
  "index.html",
  "documents/The_command_line.html",
  "documents/Offer_tools_that_a_model_can_call.html",
  "modules/_mcpgen_runtime.html",
  "protocol/2026-07-28/index.html",
];

describe.each(screens)("the site on %s", (_name, options) => {
  it.each(pages)("shows %s without an error, and no wider than the screen", async (path) => {
    await show(path, options, async (page) => {
      expect(await page.locator("h1").first().textContent()).not.toBe("");
      const widest = await page.evaluate("document.documentElement.scrollWidth");
      expect(widest).toBeLessThanOrEqual(options.viewport.width);
    });
  });
});

it("the site has every page within three clicks of its first one", async () => {
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".html"));
  const reached = new Set(["index.html"]);
  await show("index.html", screens[0][1], async (page) => {
    // A script adds the navigation.
    const urls = await page.locator("a[href]").evaluateAll((links) => links.map(({ href }) => href));
    for (const url of urls.filter((one) => one.startsWith(home)))
      reached.add(decodeURIComponent(url.slice(home.length).split("#")[0]));
  });
  for (let clicks = 2; clicks <= 3; clicks++)
    for (const path of [...reached].filter((each) => each.endsWith(".html")))
      for (const target of linksIn(path)) reached.add(target);
  expect(all.filter((path) => !reached.has(path))).toEqual([]);
});
