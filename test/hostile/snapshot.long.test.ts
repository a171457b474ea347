import { describe, expect, it } from "vitest";
import {
  collision,
  pathProblem,
} from "../../src/generator/emit/write/paths.js";
import { project, revision } from "../stubs/project.js";
import { compile } from "../view/compile.js";
import { colliding, hostile } from "./corpus.js";
import { invisible, syntaxOf } from "./syntax.js";
import { touched } from "./touched.js";

/** The smallest revision. */
const protocol = await revision("2024-11-05");

/**
 * A server with a text in every slot. Each list has one entry, so that no order
 * depends on the texts.
 */
function server(text: (slot: string) => string): string {
  const named = (slot: string, value: unknown): object => ({
    [text(slot)]: value,
  });
  const doc = (slot: string): object => ({
    title: text(`${slot} title`),
    description: text(`${slot} description`),
    _meta: named(`${slot} meta key`, text(`${slot} meta`)),
  });
  const input = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: text("id"),
    title: text("schema title"),
    tsType: text("tsType"),
    tsEnumNames: [text("tsEnumNames")],
    $comment: text("comment"),
    description: text("schema description"),
    type: "object",
    properties: named("property", {
      description: text("property description"),
      type: "object",
      properties: named("inner property", { enum: [text("enum"), 5] }),
      additionalProperties: { const: text("const") },
    }),
    required: [text("required")],
    $defs: named("definition", {
      title: text("definition title"),
      tsType: text("definition tsType"),
      const: { a: text("const inside") },
    }),
    allOf: [
      { $ref: `#/$defs/${encodeURIComponent(pointer(text("definition")))}` },
    ],
    dependentRequired: named("dependent", [text("dependent name")]),
    default: text("default"),
    examples: [text("example")],
    [text("keyword").startsWith("$") ? "x" : `x-${text("keyword")}`]:
      text("unknown keyword"),
  };
  return JSON.stringify({
    format: 1,
    revision: "2024-11-05",
    server: {
      name: text("server"),
      version: text("version"),
      ...doc("server"),
    },
    capabilities: {
      completions: {},
      prompts: {},
      tools: {},
      resources: { subscribe: true },
      experimental: named("capability", text("capability value")),
    },
    instructions: text("instructions"),
    tools: [
      {
        name: text("tool"),
        ...doc("tool"),
        inputSchema: input,
        outputSchema: {
          type: "object",
          properties: named("output", { const: text("output const") }),
        },
        annotations: { title: text("hint title"), readOnlyHint: true },
      },
    ],
    prompts: [
      {
        name: text("prompt"),
        ...doc("prompt"),
        arguments: [
          {
            name: text("argument"),
            description: text("argument description"),
            required: true,
          },
        ],
      },
    ],
    resources: [
      {
        name: text("resource"),
        uri: text("uri"),
        ...doc("resource"),
        mimeType: text("mime"),
      },
    ],
    resourceTemplates: [
      {
        name: text("template"),
        uriTemplate: `x:${text("template text").replace(/[{}]/g, "")}{id}`,
        ...doc("template"),
      },
    ],
  });
}

function pointer(step: string): string {
  return step
    .replaceAll("~", "~0")
    .replaceAll("/", "~1")
    .replace(/\p{Cs}/gu, "");
}

/** The texts of one turn: every slot gets another text in every turn. */
function textsOf(turn: number): (slot: string) => string {
  const texts = new Map<string, string>();
  return (slot) => {
    const known =
      texts.get(slot) ?? hostile[(turn + texts.size) % hostile.length] ?? "";
    texts.set(slot, known);
    // A lone surrogate cannot be part of a reference, which is a URI.
    if (slot === "definition") return known.replace(/\p{Cs}/gu, "");
    // An empty description of an argument is left out.
    return slot === "argument description" && known === "" ? "nothing" : known;
  };
}

const projectOf = (
  text: (slot: string) => string,
): ReturnType<typeof project> => project(server(text), { protocol });
const own = (files: ReadonlyMap<string, string>): [string, string][] =>
  [...files].filter(([path]) => !path.startsWith("protocol/"));

const benign = await projectOf((slot) => `benign ${slot}`);
const twin = own(benign.all).map(([path, text]) => syntaxOf(path, text));

/** Where the syntax of a file differs from that of its twin. */
function differing(path: string, results: string, expected: string): string[] {
  // A member with the name of its value is written once, which has the same
  // meaning.
  const kinds = (text: string): string[] =>
    text
      .replaceAll(
        "ShorthandPropertyAssignment key",
        "PropertyAssignment key key",
      )
      .split(" ");
  const [ours, theirs] = [kinds(results), kinds(expected)];
  if (ours.join() === theirs.join()) return [];
  const at = ours.findIndex((kind, i) => kind !== theirs[i]);
  const around = (kinds: readonly string[]): string =>
    kinds.slice(Math.max(0, at - 5), at + 5).join(" ");
  return [`${path}: ${around(ours)} in the place of ${around(theirs)}`];
}

// Every eighth turn puts every text into some slot; `npm run test:vectors` puts
// each text into each slot.
const step = process.env["MCPGEN_VECTORS"] === undefined ? 8 : 1;

describe("a project from a snapshot with hostile text in every slot", () => {
  it.each(
    hostile
      .map((text, turn) => ({ text: text.slice(0, 40), turn }))
      .filter((_, i) => i % step === 0),
  )(
    "has the same syntax as with harmless words, and no invisible character: turn $turn, $text",
    async ({ turn }) => {
      const { all } = await projectOf(textsOf(turn));
      const files = own(all);
      expect(
        files.flatMap(([path, text]) =>
          (invisible.exec(text) ?? []).map(
            (match) => `${path}: ${JSON.stringify(match)}`,
          ),
        ),
      ).toEqual([]);
      const faults = files.flatMap(([path, text], i) =>
        differing(path, syntaxOf(path, text), twin[i] ?? ""),
      );
      expect(faults).toEqual([]);
      expect(
        [...all.keys()].map(pathProblem).filter((fault) => fault !== null),
      ).toEqual([]);
      expect(collision([...all.keys()])).toBeNull();
    },
  );

  const turns = [0, 1].map((i) => Math.floor((i * hostile.length) / 2));

  it.each(turns)(
    "compiles with the strictest options, and changes no global when it is loaded: turn %i",
    async (turn) => {
      const { all, files } = await projectOf(textsOf(turn));
      expect(compile(all)).toEqual([]);
      expect(await touched(files)).toEqual([]);
    },
  );

  it.each(colliding)(
    "has different names if those of the server collide: %s, %s, %s",
    async (...names) => {
      const schema = {
        type: "object",
        properties: Object.fromEntries(
          names.map((name) => [name, { type: "string" }]),
        ),
      };
      const { all } = await project(
        JSON.stringify({
          format: 1,
          revision: "2024-11-05",
          server: { name: names[0], version: "1" },
          capabilities: {},
          tools: names.map((name) => ({
            name,
            inputSchema: schema,
            outputSchema: schema,
          })),
          prompts: names.map((name) => ({
            name,
            arguments: names.map((argument) => ({ name: argument })),
          })),
          resources: names.map((name, i) => ({ name, uri: `x:${i}` })),
          resourceTemplates: names.map((name, i) => ({
            name,
            uriTemplate: `x:${i}{id}`,
          })),
        }),
        { protocol },
      );
      expect(compile(all)).toEqual([]);
      expect(collision([...all.keys()])).toBeNull();
    },
  );
});

/**
 * A server with one entry in each list, and a configuration with an output type
 * and names for them.
 */
async function configured(
  stated: string,
  name: (slot: string) => string,
): Promise<Awaited<ReturnType<typeof project>>> {
  const snapshot = {
    format: 1,
    revision: "2024-11-05",
    server: { name: "made" },
    capabilities: {},
    tools: [{ name: "odd", inputSchema: { type: "object" } }],
    prompts: [{ name: "odd" }],
    resources: [{ name: "odd", uri: "x:odd" }],
    resourceTemplates: [{ name: "even", uriTemplate: "x:{id}" }],
  };
  const names = {
    tools: { odd: name("tool") },
    prompts: { odd: name("prompt") },
    resources: { odd: name("resource"), even: name("template") },
  };
  return await project(JSON.stringify(snapshot), {
    protocol,
    outputTypes: { odd: stated },
    names,
  });
}

describe("a project from a configuration with hostile text in every slot", async () => {
  const harmless = await configured(
    "./output-types.js#Stated",
    (slot) => `benign ${slot}`,
  );
  const expected = own(harmless.all).map(([path, text]) =>
    syntaxOf(path, text),
  );
  const numbered = hostile.map((text, turn) => ({
    text,
    shown: text.slice(0, 40),
    turn,
  }));
  // Every fourth turn puts every text into some name; `npm run test:vectors`
  // puts each into all of them, and into the path.
  const turns = numbered.filter((_, i) => i % Math.min(step, 4) === 0);

  it.each(turns)(
    "has the same syntax as with harmless words: $turn, $shown",
    async ({ text, turn }) => {
      const module = text.replaceAll("#", "") || ".";
      const slots = ["tool", "prompt", "resource", "template"];
      const textFor = (slot: string): string =>
        hostile[(turn + slots.indexOf(slot)) % hostile.length] ?? "";
      const { files, all, reports } = await configured(
        `${module}#Stated`,
        textFor,
      );
      expect(reports.filter(({ severity }) => severity === "error")).toEqual(
        [],
      );
      expect(files.get("client.ts")).toContain(").Stated>");
      const hidden = own(all).flatMap(([path, text]) =>
        invisible.test(text) ? [path] : [],
      );
      expect(hidden).toEqual([]);
      const faults = own(all).flatMap(([path, code], i) =>
        differing(path, syntaxOf(path, code), expected[i] ?? ""),
      );
      expect(faults).toEqual([]);
    },
  );

  it("has no output type if the name in the configuration is not an identifier", async () => {
    const odd = hostile.filter(
      (text) => !/^[A-Za-z_$][A-Za-z0-9_$]*$/.test(text),
    );
    expect(odd.length).toBeGreaterThan(50);
    for (const text of odd.filter((_, i) => i % Math.min(step, 8) === 0)) {
      const { files, reports } = await configured(
        `./output-types.js#${text}`,
        (slot) => slot,
      );
      expect(reports.map(({ code, severity }) => [code, severity])).toEqual([
        ["MG312", "error"],
      ]);
      expect(files.get("client.ts")).toContain(
        "Promise<Unstructured | Failed>",
      );
    }
  });

  it("changes no global when it is loaded", async () => {
    const quotes =
      hostile
        .find((text) => text.startsWith('"; globalThis'))
        ?.replaceAll("#", "") ?? "";
    const { files } = await configured(`${quotes}#Stated`, () => quotes);
    expect(await touched(files)).toEqual([]);
  });
});
