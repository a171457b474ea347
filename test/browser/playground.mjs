// The playground of the site: what it shows for a text is what the command line
// writes and prints for the same snapshot.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { visible } from "../../src/cli/terminal.ts";
import {
  formatDiagnostic,
  withHintsOnce,
} from "../../src/generator/diagnostics.ts";
import { filesIn } from "../files.ts";
import { program, root } from "../repository.ts";

const path = "guides/playground/";
const snapshotFile = "playground.mcp.json";
const rows = "mcpgen lint";

const pet = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 1 },
    age: { type: "integer" },
  },
  required: ["name"],
};
const html = `</pre><img src=x onerror="globalThis.pwned=1"><script>globalThis.pwned=2</script>`;
const hostile = {
  name: html,
  title: html,
  description: `*/ ${html}\n\`\${globalThis.pwned = 3}\` \u202e\u2028 {{ 7 * 7 }} \u0007`,
  inputSchema: {
    type: "object",
    properties: {
      [html]: { const: html, description: html },
      __proto__x: { enum: [html, "\u0000"] },
    },
    $comment: html,
  },
};
const oneOf = {
  name: "find",
  description: "Finds a place.",
  inputSchema: { type: "object", oneOf: [pet, { ...pet, required: ["age"] }] },
};
const everything = readFileSync(
  join(root, "test/examples/servers/everything.mcp.json"),
  "utf8",
);
const weather = readFileSync(
  join(root, "test/fixtures/snapshots/weather.mcp.json"),
  "utf8",
);
const { tools } = JSON.parse(everything);

/** What is pasted, the provider that is chosen, and the text itself. */
const inputs = [
  ["the schema of a tool", "", pet],
  ["a tool with alternatives at the top", "anthropic", oneOf],
  ["a list of tools", "openai", [oneOf, { ...oneOf, name: "Find" }]],
  ["the result of tools/list", "openai-strict", { tools }],
  [
    "a response with the result of tools/list",
    "gemini",
    { jsonrpc: "2.0", id: 1, result: { tools } },
  ],
  ["a snapshot with prompts and resources", "gemini", weather],
  [
    "a snapshot of a revision that is not known",
    "",
    weather.replace("2025-11-25", "2099-01-01"),
  ],
  [
    "names and descriptions with HTML",
    "openai",
    [hostile, { ...hostile, name: "constructor" }],
  ],
  [
    "tools with faults",
    "",
    [{ name: "a" }, { inputSchema: pet }, null, { name: "b", inputSchema: 3 }],
  ],
].map(([what, provider, value]) => [
  what,
  provider,
  typeof value === "string" ? value : JSON.stringify(value),
]);

/** Pastes a text, and reads all that the page shows for it. */
async function outputsOf(page, text, provider = "") {
  const place = page.locator(".playground");
  await place.locator("textarea").fill(text);
  await place.getByLabel("Provider").selectOption(provider);
  await place.getByRole("button", { name: "Generate" }).click();
  const status = place.getByRole("status");
  await page.waitForFunction(
    () =>
      globalThis.document.querySelector(".playground [role=status]")
        .textContent !== "The generator runs.",
  );
  const outputs = await place.getByLabel("File").evaluate((select) => {
    const output = globalThis.document.querySelector(".playground pre");
    return [...select.options].map(({ value }) => {
      select.value = value;
      select.dispatchEvent(new Event("change"));
      return [value, output.textContent];
    });
  });
  return { messages: await status.textContent(), outputs: new Map(outputs) };
}

/** Messages without positions: those of the page count in the pasted text. */
const withoutPlaces = (messages) =>
  messages.replaceAll(
    /^(?:the pasted text|playground\.mcp\.json):\d+:\d+ /gm,
    "… ",
  );

/** What the command line writes and prints for a snapshot. */
function commandLine(snapshot, provider) {
  const folder = mkdtempSync(join(tmpdir(), "mcpgen-playground-"));
  const run = (...words) => {
    const all = [
      program,
      ...words,
      ...(provider === "" ? [] : ["--for", provider]),
    ];
    return spawnSync(process.execPath, all, { cwd: folder, encoding: "utf8" });
  };
  try {
    writeFileSync(join(folder, snapshotFile), snapshot);
    const stubs = run(
      "stubs",
      snapshotFile,
      "--out",
      "out",
      "--emit",
      "client,tools",
      "--json",
    );
    const { ok, diagnostics } = JSON.parse(stubs.stdout);
    const { ".mcpgen.json": _, ...files } = ok
      ? filesIn(join(folder, "out"))
      : {};
    const messages = withHintsOnce(diagnostics)
      .map((one) => visible(`${formatDiagnostic(one)}\n`))
      .join("");
    const { stderr } = run("lint", snapshotFile);
    // On a busy machine, a command also prints what it is doing.
    return {
      files,
      messages,
      rows: ok
        ? stderr.replace(/^(?:reading|generating|writing) .*\n/gm, "")
        : undefined,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Texts of which nothing is generated, each with what the page says. */
const refused = [
  [
    "text that is not JSON",
    '{ "tools": [',
    /^the pasted text:1:13 MG201 .+\n    hint: write valid JSON\n/,
  ],
  [
    "a number",
    "3",
    /^the pasted text:1:1 MG301 found 3, expected the schema of a tool, .+\n    hint: paste .+\n/,
  ],
  [
    "the result of a call",
    '{"jsonrpc":"2.0","result":{"content":[]}}',
    /^the pasted text:1:1 MG301 found .+\n/,
  ],
  [
    "a tool without a schema",
    '{"name":"a"}',
    /^the pasted text:1:1 MG302 the member "inputSchema" is missing\n/,
  ],
  [
    "a fault in the second of the tools that a server answers",
    '{"jsonrpc":"2.0","id":1,"result":\n{"tools":[{"name":"a","inputSchema":{"type":"object"}},\n  {"name":3}]}}',
    /^the pasted text:3:3 MG302 the member "name" is missing or not a string\n/,
  ],
  [
    "an error of a server",
    '{"jsonrpc":"2.0","error":{"code":1}}',
    /^the pasted text:1:1 MG301 found .+\n/,
  ],
  [
    "a snapshot with faults",
    '{ "format": 1, "tools": [] }',
    /^playground\.mcp\.json:1:1 MG302 the member "server" is missing\n/,
  ],
  [
    "more than a megabyte",
    `"${"é".repeat(500_000)}"`,
    /^The text has 1000002 bytes, and the page takes 1000000/,
  ],
];

/**
 * The tests of the page. `show` opens a page of the site that is built, and
 * expects no fault.
 */
export function testPlayground(show, screen) {
  describe("the playground", () => {
    it.each(inputs)(
      "shows for %s what the command line writes and prints",
      async (_what, provider, text) => {
        await show(path, screen, async (page) => {
          const { messages, outputs } = await outputsOf(page, text, provider);
          const expected = commandLine(outputs.get(snapshotFile), provider);
          const {
            [snapshotFile]: _snapshot,
            [rows]: shown,
            ...files
          } = Object.fromEntries(outputs);
          expect(files).toEqual(expected.files);
          expect(shown).toBe(expected.rows);
          const isDone = "types.ts" in expected.files;
          const sentence = isDone
            ? "The files are generated."
            : "No file is generated.";
          expect(withoutPlaces(messages)).toBe(
            withoutPlaces(expected.messages) + sentence,
          );
          expect(await page.evaluate("globalThis.pwned")).toBeUndefined();
        });
      },
    );

    it("says in sentences why nothing is generated", async () => {
      await show(path, screen, async (page) => {
        for (const [what, text, expected] of refused) {
          const { messages, outputs } = await outputsOf(page, text);
          expect(messages, what).toMatch(expected);
          expect(messages.endsWith("No file is generated."), what).toBe(true);
          expect(
            [...outputs.keys()].filter((name) => name !== snapshotFile),
            what,
          ).toEqual([]);
        }
      });
    });

    it("shows the output of each button, and generates again while a person types", async () => {
      await show(path, screen, async (page) => {
        const place = page.locator(".playground");
        const output = place.locator("pre");
        await outputsOf(page, JSON.stringify({ ...oneOf, name: "first" }));
        for (const [button, text] of [
          ["Types", "export type FirstInput"],
          ["Guards", "export function isFirstInput("],
          ["Call", "createPlaygroundClient("],
          ["Tools for a model", "first"],
          [
            "What providers refuse",
            "MG913 Anthropic and OpenAI: oneOf is refused at the top",
          ],
        ]) {
          await place.getByRole("button", { name: button }).click();
          expect(await output.textContent()).toContain(text);
          expect(
            await place.locator("[aria-pressed=true]").allTextContents(),
          ).toEqual([button]);
        }
        await place.getByRole("button", { name: "Types" }).click();
        await place
          .locator("textarea")
          .fill(JSON.stringify({ ...oneOf, name: "second" }));
        await output.filter({ hasText: "export type SecondInput" }).waitFor();
      });
    });

    it("loads the generator with the page, as much as the page says, and sends and stores nothing", async () => {
      await show(path, screen, async (page) => {
        const requests = [];
        // The site loads the pages that it links to whenever the browser has
        // time.
        page.on("requestfinished", (request) => {
          if (request.headers()["sec-purpose"] !== "prefetch")
            requests.push(request);
        });
        await page.reload({ waitUntil: "networkidle" });
        const secret = "what-nobody-else-may-see";
        await page
          .locator(".playground pre")
          .filter({ hasText: "export interface GetForecastInput" })
          .waitFor();
        const { outputs } = await outputsOf(
          page,
          JSON.stringify({ description: secret }),
        );
        expect(outputs.get("types.ts")).toContain(secret);
        const urls = new Set(requests.map((request) => request.url()));
        const own = [...urls].filter((url) =>
          /\/(?:worker|\d{4}-\d\d-\d\d)-[\w-]+\.js$/.test(url),
        );
        // A worker that has ended takes the bodies of its responses with it.
        const sizes = await Promise.all(
          own.map(
            async (url) => (await (await fetch(url)).arrayBuffer()).byteLength,
          ),
        );
        const size = sizes.reduce((sum, one) => sum + one, 0);
        const [, said] = /\(([\d.]+) MB\)/.exec(
          await page.locator("main").innerText(),
        );
        expect(Math.abs(size / 1e6 - Number(said))).toBeLessThan(0.1);
        const sent = requests.map((one) =>
          [one.method(), one.url(), one.postData()].join(" "),
        );
        expect(sent.filter((line) => !/^GET \S+ $/.test(line))).toEqual([]);
        const stored = await page.evaluate(
          "JSON.stringify([localStorage, sessionStorage, document.cookie, location])",
        );
        expect(
          [...sent, stored].filter((line) => line.includes(secret)),
        ).toEqual([]);
      });
    });

    it("is on the page when a person comes from another page of the site", async () => {
      await show("guides/", screen, async (page) => {
        await page.locator(`main a[href$="/${path}"]`).first().click();
        await page
          .locator(".playground pre")
          .filter({ hasText: "export interface GetForecastInput" })
          .waitFor();
      });
    });

    it("says when the generator cannot be loaded", async () => {
      await show(path, screen, async (page) => {
        await page.route(/\/worker-.*\.js$/, (route) =>
          route.fulfill({ contentType: "text/javascript", body: "throw 1;" }),
        );
        const place = page.locator(".playground");
        await place.getByRole("button", { name: "Generate" }).click();
        await place
          .getByText("The generator could not be loaded. Load the page again.")
          .waitFor();
      });
    });

    it("stops a generator that does not end", async () => {
      await show(path, screen, async (page) => {
        await page.route(/\/worker-.*\.js$/, (route) =>
          route.fulfill({ contentType: "text/javascript", body: "for (;;);" }),
        );
        await page.clock.install();
        await page
          .locator(".playground")
          .getByRole("button", { name: "Generate" })
          .click();
        await page.clock.fastForward(20_000);
        const sentence =
          "The generator did not end within 20 seconds and was stopped. Try a shorter text.";
        await page.locator(".playground").getByText(sentence).waitFor();
      });
    });
  });
}
