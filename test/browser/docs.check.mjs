import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findChromium } from "./chromium.mjs";
import { makePages } from "./pages.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const names = [
  "2024-11-05",
  "2025-03-26",
  "2025-06-18",
  "2025-11-25",
  "2026-07-28",
  "changes",
  "weather",
  "drift",
  "hostile",
];
const wide = { viewport: { width: 1280, height: 900 } };
const narrow = { viewport: { width: 390, height: 844 } };

let browser;
const folder = mkdtempSync(join(tmpdir(), "mcpgen-pages-"));

beforeAll(async () => {
  const pages = await makePages();
  for (const [name, text] of pages) writeFileSync(join(folder, `${name}.html`), text);
  const executablePath = findChromium();
  if (executablePath === null)
    throw new Error("there is no chromium; test/browser/chromium.mjs says how to get one");
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
});

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens a page, does something with it, and expects no console message and no request. */
async function show(name, options, work) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const faults = [];
  const url = pathToFileURL(join(folder, `${name}.html`)).href;
  page.on("console", (message) => faults.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    const target = request.url();
    if (target.split("#")[0] !== url && target !== "data:,") faults.push(`requested ${target}`);
  });
  page.on("dialog", (dialog) => faults.push(`showed ${dialog.message()}`));
  try {
    await page.goto(url);
    await work(page);
    expect(await page.evaluate("globalThis.pwned")).toBeUndefined();
    expect(faults).toEqual([]);
  } finally {
    await context.close();
  }
}

/** The violations that axe reports, one per line. */
async function faultsOfAxe(page) {
  // The driver evaluates it; the policy of the page applies to the page's own scripts only.
  await page.evaluate(axe);
  return await page.evaluate(`axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => id + ": " + html.slice(0, 120))))`);
}

const count = (page, selector) => page.locator(selector).filter({ visible: true }).count();

/** CI tests the newest revision and all other kinds of pages. */
const tested = process.env.CI === undefined ? names : names.filter((_, i) => i >= 4);

describe.each(tested)("the page of %s", (name) => {
  it("is accessible on a wide screen in light colours, without a console message or a request", async () => {
    await show(name, { ...wide, colorScheme: "light" }, async (page) => {
      expect(await faultsOfAxe(page)).toEqual([]);
    });
  });

  it("is accessible on a narrow screen in dark colours, without horizontal scrolling and with folded contents", async () => {
    await show(name, { ...narrow, colorScheme: "dark" }, async (page) => {
      const width = await page.evaluate("document.documentElement.scrollWidth");
      expect(width).toBeLessThanOrEqual(390);
      expect(await count(page, "nav li")).toBe(0);
      await page.getByText("Contents", { exact: true }).click();
      expect(await count(page, "nav li")).toBeGreaterThan(0);
      expect(await faultsOfAxe(page)).toEqual([]);
    });
  });

  it("filters its entries after the key /, and shows all again after Escape", async () => {
    await show(name, wide, async (page) => {
      const all = await count(page, "article");
      const link = page.locator("nav li a").filter({ visible: true }).last();
      const words = (await link.textContent()) ?? "";
      await page.keyboard.press("/");
      await page.keyboard.insertText(words.slice(0, 60));
      const shown = await count(page, "article");
      expect(shown).toBeGreaterThan(0);
      expect(shown).toBeLessThanOrEqual(all);
      expect(await count(page, "nav li")).toBe(shown);
      await page.keyboard.insertText(" no such words at all");
      expect(await count(page, "article")).toBe(0);
      expect(await page.getByRole("status").textContent()).toBe("No matches.");
      await page.keyboard.press("Escape");
      expect(await count(page, "article")).toBe(all);
      expect(await page.getByRole("searchbox").inputValue()).toBe("");
    });
  });

  it("has an entry for every link, and shows the entry of the URL", async () => {
    await show(name, wide, async (page) => {
      const lost = await page.evaluate(
        `[...document.links].map((a) => a.getAttribute("href")).filter((href) => !href.startsWith("#") || document.getElementById(href.slice(1)) === null)`,
      );
      expect(lost).toEqual([]);
      const link = page.locator("nav li a").last();
      const href = (await link.getAttribute("href")) ?? "";
      await link.click();
      expect(new URL(page.url()).hash).toBe(href);
      expect(await page.locator(`[id="${href.slice(1)}"] h3`).isVisible()).toBe(true);
      expect(await link.getAttribute("aria-current")).toBe("true");
    });
  });

  it("can be read without its script, and is printed without navigation", async () => {
    await show(name, { ...wide, javaScriptEnabled: true }, async (page) => {
      await page.emulateMedia({ media: "print" });
      expect(await count(page, "nav, .top, .anchor")).toBe(0);
      expect(await count(page, "article")).toBeGreaterThan(0);
    });
    const context = await browser.newContext({ ...wide, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(pathToFileURL(join(folder, `${name}.html`)).href);
    expect(await page.getByRole("searchbox").isVisible()).toBe(false);
    expect(await page.locator("nav li a").first().isVisible()).toBe(true);
    expect(await page.locator("article").first().isVisible()).toBe(true);
    await context.close();
  });
});

describe("a generated page", () => {
  it("is tested for each revision, two revisions, two servers, a server and a hostile server", async () => {
    expect([...(await makePages()).keys()]).toEqual(names);
  });

  it("shows the entry of the URL and clears the filter that hides it", async () => {
    await show("weather", wide, async (page) => {
      await page.getByRole("searchbox").fill("get_weather");
      expect(await page.locator("#tool-warn").isVisible()).toBe(false);
      await page.evaluate("location.hash = 'tool-warn'");
      await page.locator("#tool-warn").waitFor({ state: "visible" });
      expect(await page.getByRole("searchbox").inputValue()).toBe("");
    });
  });

  it("links a type to its entry", async () => {
    await show("weather", wide, async (page) => {
      await page.locator("#tool-warn .members a").first().click();
      expect(decodeURIComponent(page.url())).toContain("#type-");
      expect(await page.locator("article:target h3").textContent()).toContain("Region");
    });
  });

  it("can be used with the keyboard alone, and shows the focus", async () => {
    await show("weather", wide, async (page) => {
      await page.keyboard.press("Tab");
      expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to content");
      expect(await page.locator(".skip").boundingBox()).toMatchObject({ y: 8 });
      await page.keyboard.press("Enter");
      expect(await page.evaluate("document.activeElement.id")).toBe("main");
      await page.keyboard.press("Tab");
      const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
      expect(outline).toBe("solid");
    });
  });

  it("has other colours in the dark scheme", async () => {
    const colours = [];
    for (const colorScheme of ["light", "dark"]) {
      await show("weather", { ...wide, colorScheme }, async (page) => {
        colours.push(await page.evaluate("getComputedStyle(document.body).backgroundColor"));
      });
    }
    expect(colours).toEqual(["rgb(253, 252, 250)", "rgb(23, 24, 27)"]);
  });
});
