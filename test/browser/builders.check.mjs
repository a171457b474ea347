import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import markdownIt from "markdown-it";
import { afterAll, describe, expect, it } from "vitest";
import { checksMarkdown } from "../../src/cli/commands/check/report.ts";
import { updateMarkdown } from "../../src/commands/update/report.ts";
import { diff } from "../../src/generator/ir/diff/index.ts";
import { renderMarkdown } from "../../src/generator/ir/report/render.ts";
import { compareSnapshots } from "../../src/generator/ir/snapshot/diff/index.ts";
import { memberNamesOf } from "../../src/generator/view/project/naming.ts";
import { parseSnapshot, plainText, serverPageOf } from "../docs/making.ts";
import { sample } from "../hostile/protocol.ts";
import { filled, slotsOf } from "../hostile/slots.ts";
import { snapshotOf } from "../stubs/project.ts";

// Programs that build sites from Markdown, with their default options.
const docs = fileURLToPath(new URL("../../.ci/docs", import.meta.url));
const installed = createRequire(join(docs, "package.json"));
const folder = mkdtempSync(join(docs, "hostile-"));
const proof = join(tmpdir(), `mcpgen-ran-${process.pid}`);
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(proof, { force: true });
});

/** JavaScript that proves that it ran by a file. */
const run = `process.getBuiltinModule("fs").writeFileSync("${proof}", "")`;
const called = `constructor.constructor('${run}')()`;

/**
 * Texts that are a program, or part of one, to a program that builds a site.
 */
const payloads = [
  `{{ ${called} }}`,
  `{{${called}}}`,
  `{{{${called}}}}`,
  `{{{{ ${called} }}}}`,
  `a {{ ${called} }} b {{ ${called} }} c`,
  `\`\`{{ ${called} }}`,
  `\`{{ ${called} }}\` and \`{\`{ 1 }}`,
  "{{",
  "{ {{ unfinished",
  "}}",
  `{globalThis.${called}}`,
  `export const ran = (${run})`,
  `import ran from "data:text/javascript,${encodeURIComponent(run)}"`,
  "{{ 6 | times: 7 }}",
  "{%- assign x = 1 -%}",
  "{% include 'secret' %}",
  "{% raw %}",
  "{% bad tag",
  "{# comment #}",
  "{#id .class onclick=alert(1)}",
  `x {onclick="${run.replaceAll('"', "'")}"}`,
  `<script setup>${run}</script>`,
  `<b :x="${called}" v-html="x">`,
  "<!--@include: ./secret.md-->",
  "<<< ./secret.md",
  "[[toc]]",
  "::: v-pre",
  "${1}",
];

/** A server with each text at each place of a page. */
function server(change) {
  const schema = (text) => ({
    type: "object",
    description: text,
    properties: {
      [text]: {
        type: "string",
        description: text,
        enum: [text, change],
        default: text,
        examples: [text],
      },
      part: { $ref: "#/$defs/part" },
    },
    $defs: {
      part: {
        description: text,
        type: "object",
        properties: { [text]: { const: text } },
      },
    },
  });
  const doc = (text) => ({
    title: text,
    description: `${text}\n\n${text}\n${text}`,
    _meta: { [text]: text, change },
  });
  return snapshotOf({
    server: { name: payloads[0], title: payloads[0], version: payloads[1] },
    capabilities: Object.fromEntries(payloads.map((text) => [text, {}])),
    instructions: [...payloads, change].join("\n\n"),
    tools: payloads.map((text) => ({
      name: text,
      ...doc(text),
      inputSchema: schema(text),
      outputSchema: schema(text),
    })),
    prompts: payloads.map((text) => ({
      name: text,
      ...doc(text),
      arguments: [{ name: text, description: text }],
    })),
    resources: payloads.map((text) => ({
      name: text,
      uri: text,
      ...doc(text),
      mimeType: text,
    })),
    resourceTemplates: payloads.map((text, i) => ({
      name: text,
      uriTemplate: `x${i}:${text.replace(/[{}]/g, "")}`,
      ...doc(text),
    })),
  });
}

const before = server("{{ 1 }}");
const after = server("{{ 2 }}");
const comparison = compareSnapshots(
  await parseSnapshot(before),
  await parseSnapshot(after),
  memberNamesOf,
);

const protocol = await sample();
const slots = slotsOf(protocol);
/** A revision with another text in each of its names and sentences. */
const revised = (turn) =>
  filled(
    protocol,
    slots.map((slot, i) => [
      slot,
      `${payloads[(turn + i) % payloads.length]}${slot.name === null ? "" : i}`,
    ]),
  );

/** All Markdown that mcpgen prints about a server or a schema, by file name. */
const files = new Map([
  ["docs.md", (await serverPageOf(before)).markdown],
  ["diff.md", renderMarkdown(comparison)],
  [
    "check.md",
    checksMarkdown(
      payloads.map((text, i) => ({
        out: text,
        snapshot: text,
        output: { state: "stale", reasons: [{ text }], files: [] },
        drift: {
          comparison: i === 0 ? comparison : { ...comparison, differences: [] },
          accepted: comparison.differences.slice(0, 1),
          idle: [
            {
              change: "added",
              subject: { kind: "tool", name: text },
              path: text,
            },
          ],
          audience: "callers",
        },
      })),
    ),
  ],
  [
    "update.md",
    updateMarkdown({
      source: payloads[0],
      version: { commit: payloads[1] },
      revisions: payloads.map((text, turn) => ({
        name: text,
        state: "changed",
        file: text,
        comparison: diff(protocol, revised(turn)),
      })),
      extensions: [],
      impacts: payloads.map((text) => ({
        tsconfig: text,
        isMove: true,
        folders: [{ out: text, from: [text], to: ["x"] }],
        impact: {
          format: 2,
          files: 1,
          notes: [],
          lines: [
            {
              file: text,
              line: 1,
              column: 1,
              kind: "type",
              isBreaking: true,
              change: `\`${text.replaceAll("`", "")}\` ${text}`,
              advice: text,
              effects: [],
              code: "TS2339",
              message: text,
            },
          ],
        },
      })),
    }),
  ],
]);

/** The text of HTML, apart from white space. */
const wordsOf = (html) =>
  plainText(html.replace(/&ZeroWidthSpace;|\u200b/g, "")).replace(/\s+/g, "");
/** What a person reads of Markdown where nothing but Markdown has a meaning. */
const shown = (markdown) =>
  wordsOf(markdownIt({ html: true }).render(markdown));

describe("Markdown about a server whose texts are programs", () => {
  it("says each text as it is", () => {
    const words = shown(files.get("docs.md") ?? "");
    expect(
      payloads.filter((text) => !words.includes(text.replace(/\s+/g, ""))),
    ).toEqual([]);
  });

  it("is shown by VitePress as it is, and nothing of it runs while the site is built", () => {
    for (const [name, markdown] of files)
      writeFileSync(join(folder, name), markdown);
    writeFileSync(join(folder, "secret.md"), "a secret of this machine");
    const vitepress = join(docs, "node_modules/vitepress/bin/vitepress.js");
    // In a folder with `vue`: elsewhere VitePress links to it while it builds,
    // and removes the link of another build, too.
    execFileSync(process.execPath, [vitepress, "build", folder], {
      cwd: docs,
      stdio: "pipe",
    });
    expect(existsSync(proof)).toBe(false);
    for (const [name, markdown] of files) {
      const html = readFileSync(
        join(folder, ".vitepress/dist", name.replace("md", "html")),
        "utf8",
      );
      expect(html).not.toContain("a secret of this machine");
      const main = /<main[^>]*>(.*)<\/main>/s.exec(html)?.[1] ?? "";
      expect(wordsOf(main.replace(/<span class="lang">\w*<\/span>/g, ""))).toBe(
        shown(markdown),
      );
    }
  });

  it.each([...files])(
    "is shown by MDX as it is, and nothing of it runs: %s",
    async (_name, markdown) => {
      const { evaluate } = await import(
        pathToFileURL(installed.resolve("@mdx-js/mdx")).href
      );
      // Docusaurus writes comments of HTML, which MDX does not know, in this
      // form.
      const source = markdown.replace(
        /<!-- (prettier-ignore-(?:start|end)) -->/g,
        "{/* $1 */}",
      );
      const jsx = (type, { children = "", ...props }) => {
        if (typeof type === "function") return type({ children, ...props });
        return [children].flat(Infinity).join("");
      };
      const { default: Content } = await evaluate(source, {
        Fragment: "x",
        jsx,
        jsxs: jsx,
        format: "mdx",
      });
      expect(existsSync(proof)).toBe(false);
      expect(Content({}).replace(/\s+/g, "")).toBe(shown(markdown));
    },
  );

  it.each([...files])(
    "is the same before and after Liquid: %s",
    async (_name, markdown) => {
      const { Liquid } = await import(
        pathToFileURL(installed.resolve("liquidjs")).href
      );
      expect(await new Liquid().parseAndRender(markdown)).toBe(markdown);
    },
  );

  it("leaves no file but those of the site", () => {
    expect(readdirSync(folder).toSorted()).toEqual(
      [".vitepress", ...files.keys(), "secret.md"].toSorted(),
    );
  });
});
