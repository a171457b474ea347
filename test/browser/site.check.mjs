import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { miniSearch } from "../../.ci/docs/search.mjs";
import { placeOf } from "../../.ci/docs/pages.mjs";
import { questions, tasks } from "../examples/coverage.ts";
import { findChromium } from "./chromium.mjs";
import { testPlayground } from "./playground.mjs";

const axe = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);
const root = fileURLToPath(new URL("../..", import.meta.url));
// The search of VitePress, a dependency of its own.
const docs = createRequire(join(root, ".ci/docs/package.json"));
const { default: MiniSearch } = await import(
  pathToFileURL(
    createRequire(docs.resolve("vitepress/package.json")).resolve("minisearch"),
  ).href
);
const folder = mkdtempSync(join(tmpdir(), "mcpgen-site-"));
/** Not the root of the host, as on GitHub Pages. */
const base = "/mcpgen/";
const types = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

let browser;
let server;
let home = "";

/** Builds with VitePress into a folder below the one that the server shows. */
function build(...args) {
  const cwd = join(root, ".ci/docs");
  const vitepress = join(cwd, "node_modules/vitepress/bin/vitepress.js");
  execFileSync(process.execPath, [vitepress, "build", ...args], { cwd });
}

beforeAll(async () => {
  // It fails if a link is broken.
  execFileSync(
    "npm",
    [
      "run",
      "build",
      "--prefix",
      ".ci/docs",
      "--",
      "--base",
      base,
      "--outDir",
      folder,
    ],
    {
      cwd: root,
    },
  );
  server = createServer((request, response) => {
    const path = decodeURIComponent(
      new URL(request.url, "http://host").pathname,
    );
    // What a browser asks for by itself.
    if (path === "/favicon.ico") return void response.writeHead(204).end();
    try {
      if (!path.startsWith(base)) throw new Error("a path outside of the site");
      const file = path.slice(base.length).replace(/(?<=^|\/)$/, "index.html");
      const body = readFileSync(join(folder, file));
      response
        .setHeader(
          "content-type",
          types[extname(file)] ?? "application/octet-stream",
        )
        .end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  home = `http://127.0.0.1:${server.address().port}${base}`;
  browser = await chromium.launch({
    executablePath: findChromium(),
    args: ["--no-sandbox"],
  });
  // A busy machine needs ten minutes to build the site.
}, 1_800_000);

afterAll(async () => {
  await browser?.close();
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Opens a page, does something with it, and expects no message on the console
 * and no request that fails or leaves the site.
 */
async function show(path, options, work) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const faults = [];
  page.on("console", (message) =>
    faults.push(`${message.type()}: ${message.text()}`),
  );
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("dialog", (dialog) => faults.push(`showed ${dialog.message()}`));
  page.on("response", (response) => {
    if (!response.url().startsWith(home) || response.status() >= 400)
      faults.push(`requested ${response.url()}`);
  });
  try {
    await page.goto(home + path, { waitUntil: "networkidle" });
    await page.locator("h1").first().waitFor();
    await work(page);
    expect(faults).toEqual([]);
  } finally {
    await context.close();
  }
}

/**
 * The headings that the search of the site finds, with the pages they are on.
 */
async function search(page, word) {
  await page.keyboard.press("Control+k");
  await page.locator("#localsearch-input").fill(word);
  const results = page.locator("a.result");
  await results.first().waitFor();
  return await results.evaluateAll((links) => links.map(({ href }) => href));
}

/** The pages of the site that a page links to, as paths from the first page. */
function linksIn(path) {
  const links = [
    ...readFileSync(join(folder, path), "utf8").matchAll(
      /<a\b[^>]*? href="([^"]*)"/g,
    ),
  ];
  return pathsOf(
    links.map(
      ([, href]) => new URL(href.replaceAll("&amp;", "&"), home + path).href,
    ),
  );
}

function pathsOf(urls) {
  return urls
    .filter((url) => url.startsWith(home))
    .map((url) =>
      decodeURIComponent(url.slice(home.length).split("#")[0]).replace(
        /(?<=^|\/)$/,
        "index.html",
      ),
    )
    .filter((target) => target.endsWith(".html"));
}

const screens = [
  [
    "a wide screen, light",
    { viewport: { width: 1280, height: 900 }, colorScheme: "light" },
  ],
  [
    "a wide screen, dark",
    { viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
  ],
  [
    "a phone, light",
    { viewport: { width: 390, height: 844 }, colorScheme: "light" },
  ],
  [
    "a phone, dark",
    { viewport: { width: 390, height: 844 }, colorScheme: "dark" },
  ],
];
const [[, wide], , [, phone]] = screens;
const pages = [
  "",
  "reference/cli/",
  "guides/tools/",
  "guides/playground/",
  "api/@mcpgen/runtime.html",
  "protocol/2026-07-28/",
];

describe.each(screens)("the site on %s", (_name, options) => {
  it.each(pages)(
    "shows the page '%s' without an error, and no wider than the screen",
    async (path) => {
      await show(path, options, async (page) => {
        expect(await page.locator("h1").first().textContent()).not.toBe("");
        const widest = await page.evaluate(
          "document.documentElement.scrollWidth",
        );
        expect(widest).toBeLessThanOrEqual(options.viewport.width);
      });
    },
  );

  it.each(["", "guides/tools/", "guides/playground/"])(
    "shows the page '%s' without a serious fault that axe finds",
    async (path) => {
      await show(path, options, async (page) => {
        await page.evaluate(axe);
        const faults =
          await page.evaluate(`axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
        violations.filter(({ impact }) => impact === "serious" || impact === "critical")
          .flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => id + ": " + html.slice(0, 120))))`);
        expect(faults).toEqual([]);
      });
    },
  );
});

testPlayground(show, wide);

it("every page is as narrow as a phone", async () => {
  await show("", phone, async (page) => {
    const tooWide = [];
    for (const path of pagesOfSite()) {
      await page.goto(home + path);
      const widest = await page.evaluate(
        "document.documentElement.scrollWidth",
      );
      if (widest > phone.viewport.width) tooWide.push(`${path}: ${widest}`);
    }
    expect(tooWide).toEqual([]);
  });
});

it("the first screen says in words what the project is", async () => {
  await show("", phone, async (page) => {
    const box = await page.locator("main p").first().boundingBox();
    expect(box.y + box.height).toBeLessThan(phone.viewport.height);
    const text = await page.locator("main p").first().textContent();
    expect(text).toMatch(
      /^Call any MCP server with types.* writes its client in TypeScript/,
    );
  });
});

it.each([
  ["1280", wide],
  ["390", phone],
])(
  "the first screen of %s pixels shows the mistake that the compiler finds",
  async (_, screen) => {
    await show("", screen, async (page) => {
      const line = page.locator(".line", {
        hasText: "Type 'string' is not assignable",
      });
      const { x, y, width, height } = await line.first().boundingBox();
      expect(x + width).toBeLessThan(screen.viewport.width);
      expect(y + height).toBeLessThan(screen.viewport.height);
    });
  },
);

/**
 * What a reader types, and the page of the repository with the answer; also the
 * tasks and questions of users.
 */
const queries = [
  ["dynamic tools", "test/examples/lists/README.md"],
  ["database connection", "test/examples/state/README.md"],
  ["bearer token", "src/auth/protect/README.md"],
  ["load balancer", "test/examples/replicas/README.md"],
  ["readiness probe", "test/examples/health/README.md"],
  ["timeout", "test/examples/progress/README.md"],
  ["stateless", "test/examples/serverless/README.md"],
  ["websocket", "test/examples/websocket/README.md"],
  ["error codes", "src/cli/commands/explain/README.md"],
  ["MG307", "src/cli/commands/explain/README.md"],
  ...["keycloak", "auth0", "entra", "okta"].map((name) => [
    name,
    "src/auth/protect/README.md",
  ]),
  ["vscode mcp.json", "test/examples/hosts/README.md"],
  ["refresh token", "src/auth/client/README.md"],
  ["pagination", "test/examples/lists/README.md"],
  ["upload a file", "test/examples/content/README.md"],
  ["stream partial results", "test/examples/progress/README.md"],
  ["batch requests", "test/examples/messages/README.md"],
  ["-32602", "test/examples/troubleshooting/README.md"],
  ["breaking changes", "src/cli/commands/diff/README.md"],
  ["get started", "README.md"],
  ["openapi", "test/examples/schemas/README.md"],
  ["npm publish", "src/commands/card/README.md"],
  ...[...tasks, ...questions].map(({ what, page }) => [
    what,
    page.replace(/#.*/, ""),
  ]),
];

describe("the search", () => {
  let index;

  beforeAll(async () => {
    const chunks = join(folder, "assets/chunks");
    const [file] = readdirSync(chunks).filter((name) =>
      name.startsWith("@localSearchIndex"),
    );
    const { default: text } = await import(
      pathToFileURL(join(chunks, file)).href
    );
    // As the theme of VitePress reads it.
    const fields = {
      fields: ["title", "titles", "text"],
      storeFields: ["title", "titles"],
    };
    const { options, searchOptions } = miniSearch;
    index = MiniSearch.loadJSON(text, { ...fields, searchOptions, ...options });
  });

  it.each(queries)(
    "finds for '%s' the page %s among its first three hits",
    (query, page) => {
      const place = `${base}${placeOf(page).replace(/index\.md$/, "")}`;
      const pages = index.search(query).map(({ id }) => id.replace(/#.*/, ""));
      expect(pages.slice(0, 3)).toContain(place);
    },
  );

  it("finds no change of the past, and no list of links at the end of a page", () => {
    const ids = index.search("changelog").map(({ id }) => id);
    expect(
      ids.filter((id) => id.startsWith(`${base}project/changelog`)),
    ).toEqual([]);
    expect(
      index.search("next").filter(({ id }) => id.endsWith("#next")),
    ).toEqual([]);
  });
});

it.each([
  ["cors", "guides/cors/"],
  ["zod", "guides/zod/"],
  ["express", "guides/frameworks/"],
  ["MG732", "reference/cli/commands/explain/"],
  ["health", "guides/health/"],
  ["Claude", "guides/hosts/"],
  ["nginx", "guides/proxies/"],
  ["413", "guides/limits/"],
  ["playground", "guides/playground/"],
])("a search for %s finds a page below %s", async (word, path) => {
  await show("", wide, async (page) => {
    const found = await search(page, word);
    expect(found.filter((href) => href.startsWith(home + path))).not.toEqual(
      [],
    );
  });
});

it("the list for language models names every page of the site", () => {
  const list = readFileSync(join(folder, "llms.txt"), "utf8");
  const named = [...list.matchAll(/\]\((.+)\)$/gm)].map(
    ([, path]) => new URL(path, home).href,
  );
  const missing = pagesOfSite().filter(
    (path) => !["index.html", "404.html", ...pathsOf(named)].includes(path),
  );
  expect(missing).toEqual([]);
});

it("the site has every page within three clicks of its first one", async () => {
  const reached = new Set(["index.html", "404.html"]);
  await show("", wide, async (page) => {
    reached.add(
      ...pathsOf(
        await page
          .locator("a[href]")
          .evaluateAll((links) => links.map(({ href }) => href)),
      ),
    );
  });
  for (let clicks = 1; clicks <= 3; clicks++) {
    const sources = [...reached];
    for (const target of sources.flatMap(linksIn)) reached.add(target);
  }
  expect(pagesOfSite().filter((path) => !reached.has(path))).toEqual([]);
});

it("no text of a page runs as a program of the page", async () => {
  // Beside the packages that a page needs.
  const hostile = mkdtempSync(join(root, ".ci/docs/hostile-"));
  const text = [
    "# {{ globalThis.pwned = 1 }} <img src=x onerror=alert(1)>",
    "Braces {{ constructor.constructor('alert(2)')() }} and <b v-html=\"alert(3)\">bold</b>.",
    "<script setup>globalThis.pwned = 4</script>",
    "<script>alert(5)</script>\n\n<component :is=\"'script'\">alert(6)</component>",
    "| `{{ 7 * 7 }}` | [link {{ 8 * 8 }}](javascript:alert(8)) |\n| --- | --- |\n| {{ 9 * 9 }} | </div>{{ 11 * 11 }} |",
    '<a id="x" onclick="alert(9)"></a> ![{{ 12 * 12 }}](x:y) {v-html="alert(10)"}',
    "::: tip {{ 13 * 13 }}\n{{ 14 * 14 }}\n:::",
    "```vue\n{{ 15 * 15 }}\n```",
    "```js {{ 16 * 16 }}\n{{ 16 * 16 }}\n```",
  ];
  mkdirSync(join(hostile, ".vitepress"));
  writeFileSync(join(hostile, "README.md"), text.join("\n\n"));
  writeFileSync(
    join(hostile, ".vitepress/config.mjs"),
    `import { markdown } from ${JSON.stringify(join(root, ".ci/docs/pages.mjs"))};
    export default { markdown, rewrites: () => "index.md", themeConfig: { search: { provider: "local" } } };`,
  );
  try {
    build(
      hostile,
      "--base",
      `${base}hostile/`,
      "--outDir",
      join(folder, "hostile"),
    );
    await show("hostile/", wide, async (page) => {
      const shown = await page.locator("main").innerText();
      for (const number of [7, 8, 9, 11, 13, 14, 15, 16]) {
        expect(shown).toContain(`{{ ${number} * ${number} }}`);
        expect(shown).not.toMatch(new RegExp(`\\b${number * number}\\b`));
      }
      expect(shown).toContain("<script setup>globalThis.pwned = 4</script>");
      await search(page, "braces");
      expect(await page.evaluate("globalThis.pwned")).toBeUndefined();
    });
  } finally {
    rmSync(hostile, { recursive: true, force: true });
    rmSync(join(folder, "hostile"), { recursive: true, force: true });
  }
});

function pagesOfSite() {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".html"));
}
