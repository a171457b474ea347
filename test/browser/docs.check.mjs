import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findChromium } from "./chromium.mjs";
import { makePages } from "./pages.ts";

const axe = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);
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
  for (const [name, text] of pages)
    writeFileSync(join(folder, `${name}.html`), text);
  const executablePath = findChromium();
  if (executablePath === null)
    throw new Error(
      "there is no chromium; test/browser/chromium.mjs says how to get one",
    );
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
});

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Opens a page, does something with it, and expects no console message and no
 * request.
 */
async function show(name, options, work) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const faults = [];
  const url = pathToFileURL(join(folder, `${name}.html`)).href;
  page.on("console", (message) =>
    faults.push(`${message.type()}: ${message.text()}`),
  );
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    const target = request.url();
    if (target.split("#")[0] !== url && target !== "data:,")
      faults.push(`requested ${target}`);
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
  // The driver evaluates it; the policy of the page applies to the page's own
  // scripts only.
  await page.evaluate(axe);
  return await page.evaluate(`axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => id + ": " + html.slice(0, 120))))`);
}

/** CI tests the newest revision and all other kinds of pages. */
const tested =
  process.env.CI === undefined ? names : names.filter((_, i) => i >= 4);

describe.each(tested)("the page of %s", (name) => {
  it("is accessible on a wide screen in light colours, without a console message or a request", async () => {
    await show(name, { ...wide, colorScheme: "light" }, async (page) => {
      expect(await faultsOfAxe(page)).toEqual([]);
    });
  });

  it("is accessible on a narrow screen in dark colours, without horizontal scrolling", async () => {
    await show(name, { ...narrow, colorScheme: "dark" }, async (page) => {
      const width = await page.evaluate("document.documentElement.scrollWidth");
      expect(width).toBeLessThanOrEqual(390);
      expect(await faultsOfAxe(page)).toEqual([]);
    });
  });

  it("has an entry for every link, and shows the entry of the URL", async () => {
    await show(name, wide, async (page) => {
      const lost = await page.evaluate(
        `[...document.links].map((a) => a.getAttribute("href")).filter((href) => !href.startsWith("#") || document.getElementById(href.slice(1)) === null)`,
      );
      expect(lost).toEqual([]);
      const link = page.locator("li a").last();
      const href = (await link.getAttribute("href")) ?? "";
      await link.click();
      expect(new URL(page.url()).hash).toBe(href);
      const heading = page.locator(`h3:has([id="${href.slice(1)}"])`);
      await heading.waitFor({ state: "visible" });
      expect(
        await heading.evaluate(
          (element) => element.getBoundingClientRect().top,
        ),
      ).toBeLessThan(900);
    });
  });
});

describe("a generated page", () => {
  it("is tested for each revision, two revisions, two servers, a server and a hostile server", async () => {
    expect([...(await makePages()).keys()]).toEqual(names);
  });

  it("links a type to its entry", async () => {
    await show("weather", wide, async (page) => {
      await page
        .locator("li", { hasText: "region (required)" })
        .locator("a")
        .click();
      expect(decodeURIComponent(page.url())).toContain("#type-");
      expect(await page.locator("h3:has(:target)").textContent()).toContain(
        "Region",
      );
    });
  });

  it("has other colours in the dark scheme", async () => {
    const colours = [];
    for (const colorScheme of ["light", "dark"]) {
      await show("weather", { ...wide, colorScheme }, async (page) => {
        colours.push(
          await page.evaluate("getComputedStyle(document.body).color"),
        );
      });
    }
    expect(new Set(colours).size).toBe(2);
  });
});
