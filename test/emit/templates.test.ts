import Handlebars from "handlebars";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { codeFiles } from "../../src/commands/code/files.js";
import { converterFor } from "../../src/commands/convert/tools.js";
import { providers } from "../../src/commands/lint/providers.js";
import { readSchema } from "../../src/api.js";
import type { Protocol } from "../../src/generator/ir/model.js";
import { sample } from "../hostile/protocol.js";
import { preamble, protocolOf } from "../ir/made.js";
import { revisions } from "../read/typescript/reading.js";
import { importPath } from "../../src/generator/view/typescript/code.js";
import {
  busyWeather,
  fixture,
  project,
  readText,
  snapshotOf,
} from "../stubs/project.js";
import { generated, templates } from "../view/generated.js";

/** Every view that was rendered, with the name of its template. */
const views: [template: string, view: object][] = [];

vi.mock("../../src/generator/emit/render.js", async (original) => {
  const actual =
    await original<typeof import("../../src/generator/emit/render.js")>();
  return {
    ...actual,
    render: (
      template: { name: string; fill: (view: unknown) => string },
      view: object,
    ) => {
      views.push([template.name, view]);
      return actual.render(template, view);
    },
  };
});

type Node = hbs.AST.Node;

/**
 * The parts of a template that are not allowed. Text, comments, `{{path}}`,
 * `{{> part}}`, `{{#if path}}` and `{{#each path}}` with `{{else}}` are.
 */
function faultsOf(node: Node): string[] {
  // The parser gives a chained `else` no location.
  const at = node.type === "Program" ? "" : `line ${node.loc.start.line}`;
  switch (node.type) {
    case "Program":
      return (node as hbs.AST.Program).body.flatMap(faultsOf);
    case "ContentStatement":
    case "CommentStatement":
      return [];
    case "MustacheStatement": {
      const { path, params, hash, escaped } = node as hbs.AST.MustacheStatement;
      if (!escaped) return [`${at}: a value that is not to be escaped`];
      return [...argumentsOf(at, params, hash, 0), ...pathFaults(at, path)];
    }
    case "PartialStatement": {
      const { name, params, hash } = node as hbs.AST.PartialStatement;
      const file = partFile(node);
      if (file === null)
        return [`${at}: a ${name.type} where the name of a part belongs`];
      return [
        ...(templates.has(file) ? [] : [`${at}: no part ${file}`]),
        // A part may have a member of the view as its view.
        ...argumentsOf(at, params, hash, params.length === 1 ? 1 : 0),
        ...params.flatMap((param) => pathFaults(at, param)),
      ];
    }
    case "BlockStatement": {
      const { path, params, hash, program, inverse } =
        node as hbs.AST.BlockStatement;
      const name = (path as hbs.AST.PathExpression).original;
      const isKnown = name === "if" || name === "each";
      return [
        ...(isKnown ? [] : [`${at}: the block ${String(name)}`]),
        ...argumentsOf(at, params, hash, 1),
        ...params.flatMap((param) => pathFaults(at, param)),
        ...((program.blockParams?.length ?? 0) > 0
          ? [`${at}: block parameters`]
          : []),
        ...faultsOf(program),
        ...(inverse === undefined ? [] : faultsOf(inverse)),
      ];
    }
    default:
      return [`${at}: a ${node.type}`];
  }
}

/** The file of `{{> part}}`; null if the name is computed. */
function partFile(node: Node): string | null {
  const { name } = node as hbs.AST.PartialStatement;
  return name.type === "PathExpression"
    ? `partials/${(name as hbs.AST.PathExpression).original}.hbs`
    : null;
}

function argumentsOf(
  at: string,
  params: readonly Node[],
  hash: hbs.AST.Hash | undefined,
  count: number,
): string[] {
  const named = hash === undefined ? 0 : hash.pairs.length;
  return params.length === count && named === 0
    ? []
    : [`${at}: ${params.length} parameters and ${named} named ones`];
}

function pathFaults(at: string, node: Node): string[] {
  if (node.type !== "PathExpression")
    return [`${at}: a ${node.type} where a path belongs`];
  const { data, original } = node as hbs.AST.PathExpression;
  return data ? [`${at}: the variable ${original}`] : [];
}

describe("a template", () => {
  it.each([...templates])(
    "%s has only text, comments, paths, partials, if and each",
    (_, text) => {
      expect(faultsOf(Handlebars.parse(text))).toEqual([]);
    },
  );

  // The same limit as for a source file.
  it.each([...templates])(
    "%s has at most 300 lines without comments and empty lines",
    (_, text) => {
      const lines = text
        .split("\n")
        .filter((line) => !/^\s*($|\/\*|\*|\/\/)/.test(line));
      expect(lines.length).toBeLessThanOrEqual(300);
    },
  );

  it.each([
    ["{{{value}}}", "a value that is not to be escaped"],
    ["{{&value}}", "a value that is not to be escaped"],
    ["{{helper value}}", "1 parameters"],
    ["{{value kind=1}}", "1 named ones"],
    ["{{> partial}}", "no part partials/partial.hbs"],
    ["{{> client/side one two}}", "2 parameters"],
    ['{{> client/side "text"}}', "a StringLiteral where a path belongs"],
    ["{{> client/side kind=1}}", "1 named ones"],
    [
      "{{> (dynamic name)}}",
      "a SubExpression where the name of a part belongs",
    ],
    ["{{#> layout}}x{{/layout}}", "a PartialBlockStatement"],
    ["{{#with value}}x{{/with}}", "the block with"],
    ["{{#unless value}}x{{/unless}}", "the block unless"],
    ["{{#if (and a b)}}x{{/if}}", "a SubExpression where a path belongs"],
    ['{{#if "text"}}x{{/if}}', "a StringLiteral where a path belongs"],
    ["{{#each list as |item|}}{{item}}{{/each}}", "block parameters"],
    ["{{#each list}}{{@index}}{{/each}}", "the variable @index"],
    ['{{"literal"}}', "a StringLiteral where a path belongs"],
    ["{{#if a}}{{else unless b}}x{{/if}}", "the block unless"],
    ['{{* decorator "x"}}', "a Decorator"],
  ])("is rejected by this test if it contains %s", (text, fault) => {
    expect(faultsOf(Handlebars.parse(text)).join()).toContain(fault);
  });
});

describe("templates", () => {
  it("use every partial that exists", () => {
    const used = [...templates].flatMap(([, text]) =>
      partsIn(Handlebars.parse(text)),
    );
    const parts = [...templates.keys()].filter((name) =>
      name.startsWith("partials/"),
    );
    expect([...new Set(used)].sort()).toEqual(parts.sort());
  });

  function partsIn(node: Node): string[] {
    if (node.type === "Program")
      return (node as hbs.AST.Program).body.flatMap(partsIn);
    if (node.type === "BlockStatement") {
      const { program, inverse } = node as hbs.AST.BlockStatement;
      return [
        ...partsIn(program),
        ...(inverse === undefined ? [] : partsIn(inverse)),
      ];
    }
    return node.type === "PartialStatement" ? [partFile(node) ?? ""] : [];
  }
});

/** The nested contexts of a template, the innermost last. */
type Scopes = readonly unknown[];

const kinds = new Set(["literal", "identifier", "key", "doc", "code"]);

describe("a path in a template", () => {
  /** `file:line:column` of every path that was rendered with some view. */
  const reached = new Set<string>();
  const faults: string[] = [];

  beforeAll(async () => {
    const all = await revisions();
    const bare: Protocol = {
      ...(await protocolOf(
        `${preamble}export type ClientRequest = InitializeRequest;`,
      )),
      messages: [],
    };
    const unanswered: Protocol = {
      ...bare,
      opening: "per-request",
      messages: (await sample()).messages
        .map((message) =>
          message.kind === "request"
            ? {
                ...message,
                name: "InitializeRequest",
                results: [],
                params: none,
              }
            : message,
        )
        .filter(({ kind }) => kind === "request"),
    };
    for (const protocol of [...all, bare, unanswered, await sample()])
      generated([protocol]);
    generated(all);
    for (const extension of [
      "apps",
      "skills",
      "test/extensions/greetings.ts",
      "test/made-up/schema/gallery.ts",
    ])
      generated([await readSchema("latest", { extensions: [extension] })]);
    generated([bare, { ...bare, revision: "other" }]);
    generated(all, { emit: ["types"] });
    await project(fixture("weather"));
    const outputTypes = { warn: "./warned.js#Warned" };
    for (const protocol of all)
      await project(busyWeather(), { protocol, outputTypes });
    for (const provider of providers)
      await project(busyWeather(), {
        emit: ["tools"],
        convert: converterFor(provider.id),
      });
    await project(snapshotOf({ prompts: [{ name: "ask" }] }));
    const inputSchema = {
      type: "object",
      properties: { a: { not: { minimum: 1 } }, b: { maxLength: 9 } },
    };
    await project(
      snapshotOf({ tools: [{ name: "any", inputSchema, outputSchema: {} }] }),
    );
    await project(
      snapshotOf({
        tools: [{ name: "odd", inputSchema, outputSchema: { not: {} } }],
      }),
    );
    for (const text of [
      fixture("weather"),
      snapshotOf({
        tools: [{ name: "a", inputSchema, outputSchema: { enum: [1] } }],
      }),
    ]) {
      const { snapshot } = await readText(text);
      if (snapshot)
        codeFiles([{ name: "x", snapshot }], templates, importPath(".js"));
    }
    for (const [name, view] of views) {
      const text = templates.get(name);
      if (text === undefined) throw new Error(`no template ${name}`);
      walk(name, Handlebars.parse(text), [view]);
    }
  });

  function walk(file: string, node: Node, scopes: Scopes): void {
    if (node.type === "Program") {
      for (const entry of (node as hbs.AST.Program).body)
        walk(file, entry, scopes);
    } else if (node.type === "MustacheStatement") {
      const path = (node as hbs.AST.MustacheStatement)
        .path as hbs.AST.PathExpression;
      const value = resolve(file, path, scopes);
      reached.add(`${file}:${path.loc.start.line}:${path.loc.start.column}`);
      if (!isCode(value, kinds))
        faults.push(
          `${file}:${path.loc.start.line} {{${path.original}}} is ${JSON.stringify(value)}`,
        );
    } else if (node.type === "PartialStatement") {
      const part = partFile(node) ?? "";
      // A partial sees only the innermost context of the place that includes
      // it, or its argument.
      const [own] = (node as hbs.AST.PartialStatement)
        .params as hbs.AST.PathExpression[];
      const scope =
        own === undefined ? scopes.at(-1) : resolve(file, own, scopes);
      walk(part, Handlebars.parse(templates.get(part) ?? ""), [scope]);
    } else if (node.type === "BlockStatement") {
      walkBlock(file, node as hbs.AST.BlockStatement, scopes);
    }
  }

  function walkBlock(
    file: string,
    block: hbs.AST.BlockStatement,
    scopes: Scopes,
  ): void {
    const { program, inverse } = block;
    const path = block.params[0] as hbs.AST.PathExpression;
    const value = resolve(file, path, scopes);
    const place = `${file}:${path.loc.start.line} ${path.original}`;
    if (value === undefined) faults.push(`${place} is missing from its view`);
    if ((block.path as hbs.AST.PathExpression).original === "each") {
      if (!Array.isArray(value)) faults.push(`${place} is not a list`);
      else
        for (const item of value as unknown[])
          walk(file, program, [...scopes, item]);
      return;
    }
    const isTrue = Array.isArray(value)
      ? value.length > 0
      : value !== null && value !== false;
    if (isTrue) walk(file, program, scopes);
    else if (inverse !== undefined) walk(file, inverse, scopes);
  }

  function resolve(
    file: string,
    path: hbs.AST.PathExpression,
    scopes: Scopes,
  ): unknown {
    let value = scopes.at(-1 - path.depth);
    for (const part of path.parts as readonly string[]) {
      const holder = value as Record<string, unknown> | null | undefined;
      if (
        typeof holder !== "object" ||
        holder === null ||
        !Object.hasOwn(holder, part)
      ) {
        faults.push(
          `${file}:${path.loc.start.line} ${path.original} is missing from its view`,
        );
        return null;
      }
      value = holder[part];
    }
    return value;
  }

  it("is an emit value in every mustache, and present in every view", () => {
    expect(views.length).toBeGreaterThan(50);
    expect([...new Set(faults)]).toEqual([]);
  });

  it("is rendered at least once by this test", () => {
    const places = [...templates].flatMap(([file, text]) =>
      mustaches(Handlebars.parse(text)).map((at) => `${file}:${at}`),
    );
    expect(places.filter((place) => !reached.has(place))).toEqual([]);
  });

  function mustaches(node: Node): string[] {
    if (node.type === "Program")
      return (node as hbs.AST.Program).body.flatMap(mustaches);
    if (node.type === "BlockStatement") {
      const { program, inverse } = node as hbs.AST.BlockStatement;
      return [
        ...mustaches(program),
        ...(inverse === undefined ? [] : mustaches(inverse)),
      ];
    }
    if (node.type !== "MustacheStatement") return [];
    const { start } = (node as hbs.AST.MustacheStatement).path.loc;
    return [`${start.line}:${start.column}`];
  }

  function isCode(value: unknown, kinds: ReadonlySet<string>): boolean {
    return (
      typeof value === "object" &&
      value !== null &&
      "layout" in value &&
      "kind" in value &&
      kinds.has(String(value.kind))
    );
  }
});

const none = { presence: "none", schema: null, declaredBy: null } as const;
