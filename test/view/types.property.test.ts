import fc from "fast-check";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import {
  collision,
  pathProblem,
} from "../../src/generator/emit/write/paths.js";
import { index } from "../../src/generator/ir/lookup.js";
import type { Protocol } from "../../src/generator/ir/model.js";
import { valuesFor } from "../convert/values.js";
import { colliding, hostile } from "../hostile/corpus.js";
import { invisible } from "../hostile/syntax.js";
import { preamble, type as typeText } from "../read/printed/declarations.js";
import { read } from "../read/typescript/reading.js";
import { project, snapshotOf } from "../stubs/project.js";
import { schema as anySchema, value as anyInput } from "../stubs/random.js";
import { arbitraryOf } from "../vectors/arbitrary.js";
import { mutant, wordsOf } from "../vectors/mutate.js";
import { Random } from "../vectors/random.js";
import { runs } from "../whole.js";
import { compile } from "./compile.js";
import { generated, load, type Validator, validators } from "./generated.js";
import { anyValue, changed, sayable, seed, typeOf } from "./made.js";

/** The text of a snapshot with a tool for each schema. */
const serverOf = (schemas: readonly object[]): string =>
  snapshotOf({
    tools: schemas.map((inputSchema, i) => ({ name: `n${i}`, inputSchema })),
  });

/** The files of a project with a tool for each schema, and their validators. */
async function projectOf(schemas: readonly object[]) {
  const { files } = await project(serverOf(schemas), { emit: ["client"] });
  const module = await load(files, "validators.ts");
  const validators = schemas.map((_, i) => ({
    guard: module[`isN${i}Input`] as Validator["guard"],
    schema: module[`N${i}InputSchema`] as Validator["schema"],
  }));
  return { files, validators };
}

/** The five shortest of some texts. */
const shortest = (texts: Iterable<string>): string[] =>
  [...new Set(texts)].sort((a, b) => a.length - b.length).slice(0, 5);

/** Conditions on types, each with what it is of. */
class Conditions {
  readonly #subjects: string[] = [];
  readonly #lines: string[];

  constructor(...imports: readonly string[]) {
    this.#lines = [...imports];
  }

  add(source: string, target: string, holds: boolean, subject: unknown): void {
    this.#subjects.push(JSON.stringify({ holds, subject }));
    this.#lines.push(
      `export const c${this.#subjects.length - 1}: ${source} extends ${target} ? true : false = ${holds};`,
    );
  }

  /** The subjects of which the compiler says something else. */
  wrong(files: ReadonlyMap<string, string>): readonly string[] {
    const text = this.#lines.join("\n");
    const faults = compile(new Map([...files, ["conditions.ts", text]]));
    return shortest(
      faults.map((fault) => {
        const [, at] = /^conditions\.ts.* const c(\d+): /.exec(fault) ?? [];
        return at === undefined ? fault : fault + this.#subjects[Number(at)];
      }),
    );
  }
}

describe(`the type and the guard of a random schema (seed ${seed})`, () => {
  it("accept the same values, if TypeScript can say what the schema says, and else the type accepts more", async () => {
    const exact = fc.sample(sayable({ unions: true }), {
      numRuns: runs(125),
      seed,
    });
    const wide = fc
      .sample(anySchema, { numRuns: runs(75), seed })
      .map((schema) => withTypes(schema) as object);
    const schemas = [...exact, ...wide];
    const { files, validators } = await projectOf(schemas);
    const conditions = new Conditions(
      'import type * as ours from "./types.js";',
    );
    let accepted = 0;
    let refused = 0;
    for (const [i, schema] of schemas.entries()) {
      const values = fc.oneof(
        { weight: 3, arbitrary: valuesFor(schema, schema) },
        { weight: 1, arbitrary: anyValue.map((a) => ({ a })) },
        { weight: i < exact.length ? 0 : 3, arbitrary: anyInput },
      );
      for (const value of fc.sample(values, { numRuns: 30, seed })) {
        const accepts = validators[i]?.guard(value) === true;
        if (!accepts && i >= exact.length) continue;
        if (accepts) accepted += 1;
        else refused += 1;
        conditions.add(typeOf(value, accepts), `ours.N${i}Input`, accepts, {
          value,
          schema,
        });
      }
    }
    expect(conditions.wrong(files)).toEqual([]);
    expect(accepted).toBeGreaterThan(schemas.length * 5);
    expect(refused).toBeGreaterThan(exact.length * 5);
  });

  it("are those of a schema.ts as TypeScript reads it", async () => {
    // An array is an `object` too, and no message is one where that is written.
    const texts = fc
      .sample(typeText, { numRuns: runs(250), seed })
      .filter((text) => !/\bobject\b/.test(text));
    const bases = ["Note", "Late", "Omit<Note, 'id' | 'kind'>", "Late, Merged"];
    const others = [
      'extends Note, Merged { kind: "k"; count: 1 | 2 }',
      "extends Omit<Note, 'count'> { count?: Note }",
      "{ [key: string]: Note }",
      "{ kind: Words; items?: { [key: string]: string | Note[] }; [key: string]: unknown }",
    ];
    const source = `${preamble}${texts
      .map((text, i) => `export type M${i} = ${text};\n`)
      .join("")}${bases
      .map((base, i) => `export interface I${i} extends ${base} { m: M${i} }\n`)
      .join(
        "",
      )}${others.map((other, i) => `export interface J${i} ${other}\n`).join("")}`;
    const { protocol, reports } = await read(source, { revision: "made" });
    if (protocol === null) throw new Error(JSON.stringify(reports));
    const guards = await validators(protocol);
    const { files } = generated([protocol], { emit: ["types", "validators"] });
    const conditions = new Conditions(
      'import type * as ours from "./types.js";',
      'import type * as theirs from "./theirs.js";',
    );
    const names = [
      ...texts.map((_, i) => `M${i}`),
      ...bases.map((_, i) => `I${i}`),
      ...others.map((_, i) => `J${i}`),
    ];
    const random = new Random(seed);
    const words = wordsOf([protocol]);
    for (const name of names) {
      const text = texts[Number(name.slice(1))];
      conditions.add(`theirs.${name}`, `ours.${name}`, true, { name, text });
      // Our types have no templates.
      if (!name.startsWith("M") || !text?.includes("`"))
        conditions.add(`ours.${name}`, `theirs.${name}`, true, { name, text });
      for (const value of valuesOf(protocol, name, random, words)) {
        const accepts = guards.get(name)?.guard(value) === true;
        const subject = { value, name, text };
        conditions.add(
          typeOf(value, accepts),
          `theirs.${name}`,
          accepts,
          subject,
        );
      }
    }
    expect(
      conditions.wrong(
        new Map([...files, ["theirs.ts", withoutEnums(source)]]),
      ),
    ).toEqual([]);
  });

  it("tell the place of a fault: the only one that differs from an accepted value", async () => {
    const schemas = fc.sample(sayable({ unions: false }), {
      numRuns: runs(250),
      seed,
    });
    const { validators } = await projectOf(schemas);
    const wrong: string[] = [];
    let told = 0;
    for (const [i, schema] of schemas.entries()) {
      const own = validators[i];
      const values = fc
        .sample(valuesFor(schema, schema), { numRuns: 30, seed })
        .filter((value) => own?.guard(value) === true);
      for (const value of values) {
        for (const { path, value: other } of changed(value)) {
          const parsed = own?.schema.safeParse(other);
          if (parsed === undefined || parsed.success) continue;
          told += 1;
          const [issue] = parsed.error.issues;
          if (JSON.stringify(issue?.path) !== JSON.stringify(path))
            wrong.push(JSON.stringify({ path, issue, other, schema }));
        }
      }
    }
    expect(shortest(wrong)).toEqual([]);
    expect(told).toBeGreaterThan(schemas.length);
  });
});

/**
 * The schema with a type wherever it has members: without one, the printed type
 * is that of an object, although the schema accepts a text.
 */
const withTypes = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema), (_, value: unknown) =>
    typeof value === "object" &&
    value !== null &&
    ["properties", "required", "additionalProperties"].some((name) =>
      Object.hasOwn(value, name),
    )
      ? { ...value, type: "object" }
      : value,
  );

/** Values of a type, and values that are nearly of it. */
function valuesOf(
  protocol: Protocol,
  name: string,
  random: Random,
  words: readonly string[],
): unknown[] {
  const declarations = index(protocol);
  const declaration = declarations.get(name);
  if (declaration === undefined) throw new Error(`${name} is not declared`);
  return Array.from({ length: 12 }, (_, turn) => {
    const value = arbitraryOf(declarations, declaration.schema, random);
    const candidate = turn < 5 ? value : mutant(value, random, words);
    const text = JSON.stringify(candidate);
    // A type has no place for a long text or an infinite number.
    return text.length < 2000 ? (JSON.parse(text) as unknown) : null;
  });
}

/**
 * The text with what a type of ours says in another way: a union in place of
 * each enum, whose values have no other, and arrays that may change.
 */
function withoutEnums(text: string): string {
  const unions = text.replace(
    /export enum (\w+) \{ (.*) \}/g,
    (_, name: string, list: string) => {
      const members = list.split(", ").map((member, i) => {
        const [own = "", value = String(i)] = member.split(" = ");
        return [own, value] as const;
      });
      const types = members.map(
        ([own, value]) => `export type ${own} = ${value};`,
      );
      return `export type ${name} = ${members.map(([, value]) => value).join(" | ")};
export namespace ${name} { ${types.join(" ")} }`;
    },
  );
  return unions.replaceAll("readonly ", "");
}

describe(`the text of a random schema (seed ${seed})`, () => {
  /** Prose that is hard to put into a comment, with a word to find it by. */
  const doc = fc
    .tuple(
      fc.constantFrom(...hostile.filter((text) => text.length < 100)),
      fc.constantFrom("", "/", "*", "\\", "*/", "\n\n@x ", "\n- "),
      fc.nat(1_000_000),
    )
    .map(([text, joint, number]) => `${text}${joint} word${number} ${text}`);

  it("ends no comment, hides nothing, and is in the comment of its member", async () => {
    const schemas = fc.sample(sayable({ unions: false, doc }), {
      numRuns: runs(125),
      seed,
    });
    const described = JSON.stringify(schemas);
    const { files } = await project(serverOf(schemas), { emit: ["client"] });
    const plain = await project(
      serverOf(schemas.map((schema) => withoutDocs(schema) as object)),
      { emit: ["client"] },
    );
    for (const path of ["types.ts", "validators.ts", "client.ts"]) {
      const [text = "", other = ""] = [files, plain.files].map((each) =>
        each.get(path),
      );
      expect(codeOf(text), path).toBe(codeOf(other));
      expect(text).not.toMatch(invisible);
    }
    const types = files.get("types.ts") ?? "";
    const words = new Set(described.match(/word\d+/g));
    expect(words.size).toBeGreaterThan(schemas.length);
    const comments = (types.match(/\/\*\*[^]*?\*\//g) ?? []).join("\n");
    expect([...words].filter((word) => !comments.includes(word))).toEqual([]);
  });

  it("is the same in each run, whatever was emitted before", async () => {
    const servers = fc
      .sample(fc.array(sayable({ unions: true, doc }), { maxLength: 3 }), {
        numRuns: runs(15),
        seed,
      })
      .map(serverOf);
    const textsOf = async (text: string): Promise<string> =>
      JSON.stringify([...(await project(text)).all]);
    const first: string[] = [];
    for (const text of servers) first.push(await textsOf(text));
    const again: string[] = [];
    for (const text of [...servers].reverse())
      again.unshift(await textsOf(text));
    expect(again).toEqual(first);
  });
});

function withoutDocs(schema: unknown): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === "description" ? undefined : value,
    ),
  );
}

/** The code of a module without comments and layout. */
function codeOf(text: string): string {
  const file = ts.createSourceFile("a.ts", text, ts.ScriptTarget.ES2022, true);
  const { parseDiagnostics } = file as unknown as {
    readonly parseDiagnostics: readonly ts.Diagnostic[];
  };
  expect(parseDiagnostics).toEqual([]);
  return ts
    .createPrinter({ removeComments: true })
    .printFile(file)
    .replace(/,?\s+/g, " ");
}

describe(`random names (seed ${seed})`, () => {
  const name = fc.oneof(
    fc.constantFrom(...colliding.flat()),
    fc.constantFrom(...hostile.filter((text) => text.length < 60)),
    fc.string({ unit: "binary", maxLength: 6 }),
  );
  const names = fc.uniqueArray(name, { minLength: 6, maxLength: 10 });

  it("of tools, prompts, resources and their members never collide in a project", async () => {
    const lists = fc.sample(
      fc.tuple(
        fc
          .constantFrom(...colliding)
          .chain((set) => names.map((more) => [...new Set([...set, ...more])])),
        names,
      ),
      { numRuns: runs(15), seed },
    );
    for (const [all, members] of lists) {
      const properties = Object.fromEntries(
        members.map((member) => [member, { type: "string" }]),
      );
      const used = all.filter((one) => one !== "");
      const { all: files, once } = await project(
        snapshotOf({
          capabilities: { tools: {}, prompts: {}, resources: {} },
          tools: used.map((one) => ({
            name: one,
            inputSchema: {
              type: "object",
              properties,
              required: members,
              $defs: properties,
            },
            outputSchema: { type: "object", properties },
          })),
          prompts: used.map((one) => ({
            name: one,
            arguments: members.map((member) => ({ name: member })),
          })),
          resources: used.map((one, i) => ({ name: one, uri: `made:${i}` })),
        }),
      );
      expect(compile(files), JSON.stringify([used, members])).toEqual([]);
      expect([...files].flatMap(([path, text]) => twice(path, text))).toEqual(
        [],
      );
      expect(collision([...files.keys()])).toBeNull();
      expect([...files.keys()].filter((path) => pathProblem(path))).toEqual([]);
      const handlers = [...once.keys()].filter((path) =>
        /^handlers\/.*\//.test(path),
      );
      expect(handlers).toHaveLength(3 * used.length);
    }
  });

  it("of declarations, messages and members never collide in a revision", async () => {
    const identifiers = fc
      .uniqueArray(
        fc.constantFrom(
          ...colliding.flat().filter((text) => /^[A-Za-z_$][\w$]*$/.test(text)),
          ..."Request Result Unique Object Array Promise Record n1 client Session".split(
            " ",
          ),
        ),
        { minLength: 4, maxLength: 12 },
      )
      .map((list) => list.filter((text) => !reserved.test(text)));
    const lists = fc.sample(fc.tuple(identifiers, names), {
      numRuns: runs(30),
      seed,
    });
    for (const [types, members] of lists) {
      const source = types
        .map(
          (type, i) => `export interface ${type} {
${members.map((member, at) => `  ${JSON.stringify(member)}?: ${at < i ? types[at] : "string"};`).join("\n")}
}`,
        )
        .join("\n");
      const { protocol, reports } = await read(source, { revision: "made" });
      if (protocol === null) throw new Error(JSON.stringify(reports));
      const { files } = generated([protocol], {
        emit: ["types", "validators"],
      });
      expect(compile(files), source).toEqual([]);
      expect([...files].flatMap(([path, text]) => twice(path, text))).toEqual(
        [],
      );
    }
  });
});

/** Names that the language does not allow for an interface. */
const reserved = /^(?:class|await|default|value)$/;

/**
 * The names that a scope of a file has twice. The compiler merges interfaces,
 * and methods of an interface, of which it says nothing.
 */
function twice(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const list =
      ts.isSourceFile(node) || ts.isModuleBlock(node)
        ? node.statements.filter(ts.isInterfaceDeclaration)
        : ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node)
          ? node.members
          : [];
    const seen = new Set<string>();
    for (const { name } of list) {
      const key = name?.getText(file);
      if (key === undefined) continue;
      if (seen.has(key)) found.push(`${path}: ${key}`);
      seen.add(key);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
