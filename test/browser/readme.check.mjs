import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findChromium } from "./chromium.mjs";
import { asOnGitHub } from "./github.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "mcpgen-readme-"));
const file = join(folder, "readme.html");
const pictures = ["loop", "loop-tall", "figures"].map((name) => [
  name,
  join(root, `.github/pictures/${name}.svg`),
]);
const schemes = ["light", "dark"];

let browser;
beforeAll(async () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  writeFileSync(file, asOnGitHub(readme, pathToFileURL(root).href));
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

/** What a function finds in a page, of 900 × 1,000 pixels by default. */
async function evaluate(path, find, colorScheme = "light", width = 900) {
  const page = await browser.newPage({
    viewport: { width, height: 1000 },
    colorScheme,
  });
  try {
    await page.goto(pathToFileURL(path).href);
    return await page.evaluate(find);
  } finally {
    await page.close();
  }
}

describe("the main page, as GitHub shows it", () => {
  it("has the program, the five phrases and the two commands on a first screen of 900 × 1,000 pixels", async () => {
    const bottoms = await evaluate(file, () =>
      ["ul", "pre ~ pre"].map(
        (selector) =>
          document.querySelector(selector).getBoundingClientRect().bottom,
      ),
    );
    expect(bottoms[0]).toBeGreaterThan(0);
    expect(Math.max(...bottoms)).toBeLessThanOrEqual(1000);
  });

  it("has no code that must be scrolled sideways", async () => {
    const wide = await evaluate(file, () =>
      [...document.querySelectorAll("pre")]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ textContent }) => textContent),
    );
    expect(wide).toEqual([]);
  });

  it("shows both pictures, with a text for those who do not see them", async () => {
    const shown = await evaluate(file, () =>
      [...document.images].map(({ naturalWidth, alt }) => [
        naturalWidth > 0,
        alt.length > 100,
      ]),
    );
    expect(shown).toEqual([
      [true, true],
      [true, true],
    ]);
  });
});

it.each([
  [900, "loop.svg"],
  [390, "loop-tall.svg"],
])(
  "a screen of %s pixels gets the picture %s, in which it can be read",
  async (width, name) => {
    const find = () => {
      const { currentSrc, width, naturalWidth } = document.images[0];
      return { currentSrc, scale: width / naturalWidth };
    };
    const { currentSrc, scale } = await evaluate(file, find, "light", width);
    expect(currentSrc.endsWith(`/${name}`)).toBe(true);
    // The smallest text has eleven pixels.
    expect(11 * scale).toBeGreaterThan(9);
  },
);

describe.each(pictures)("the picture %s", (_, path) => {
  it("has text that does not leave the picture and does not lie over other text", async () => {
    const faults = await evaluate(path, () => {
      const { width, height } = document.documentElement.viewBox.baseVal;
      const texts = [...document.querySelectorAll("text")].map((text) => [
        text.textContent,
        text.getBBox(),
      ]);
      const leaves = ([, box]) =>
        box.x < 0 ||
        box.y < 0 ||
        box.x + box.width > width ||
        box.y + box.height > height;
      const overlaps = ([, a], [, b]) =>
        a.x < b.x + b.width &&
        b.x < a.x + a.width &&
        a.y + 3 < b.y + b.height &&
        b.y + 3 < a.y + a.height;
      return texts.flatMap((one, i) => [
        ...(leaves(one) ? [`${one[0]} leaves the picture`] : []),
        ...texts
          .slice(i + 1)
          .flatMap((other) =>
            overlaps(one, other) ? [`${one[0]} over ${other[0]}`] : [],
          ),
      ]);
    });
    expect(faults).toEqual([]);
  });

  it("has colours of its own for light and dark pages", async () => {
    const colourOf = () =>
      getComputedStyle(document.querySelector("text")).fill;
    const [light, dark] = await Promise.all(
      schemes.map((scheme) => evaluate(path, colourOf, scheme)),
    );
    expect(light).not.toBe(dark);
  });
});
