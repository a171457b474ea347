import { Diagnostics } from "../../src/generator/diagnostics.js";
import { assemble } from "../../src/generator/ir/derive/index.js";
import { factsIn } from "../../src/generator/ir/derive/revision.js";
import * as facts from "../../src/generator/ir/facts.js";
import {
  constantIn,
  propertiesIn,
} from "../../src/generator/ir/constraint/form.js";
import { eachSchema } from "../../src/generator/ir/constraint/walk.js";
import type { Protocol } from "../../src/generator/ir/model.js";

/**
 * Tables that decide what is derived: a row is used if a protocol is another
 * one without it.
 */
const derived = {
  capabilities: facts.capabilities,
  conditions: facts.conditions,
  subjects: facts.subjects,
  wellKnownMetaKeys: facts.wellKnownMetaKeys,
  metaKeys: facts.metaKeys,
  headerMembers: facts.headerMembers,
  engineDefaults: facts.engineDefaults,
  prefixes: facts.prefixes,
  selectedResults: facts.selectedResults,
};

/**
 * The fact rows that none of these protocols uses, each as table and content.
 */
export function unusedFacts(protocols: readonly Protocol[]): string[] {
  const words = new Set(
    protocols.flatMap(({ declarations }) => wordsOf(declarations)),
  );
  const methods = new Set(
    protocols.flatMap(({ messages }) => messages.map(({ method }) => method)),
  );
  const ids = new Set(
    protocols.flatMap(({ extensions }) => extensions.map(({ id }) => id)),
  );
  const levels = new Set(protocols.flatMap((protocol) => protocol.levels));
  const errors = new Set(
    protocols.flatMap((protocol) => Object.keys(protocol.errors)),
  );
  const before = protocols.map(derive);
  const isIdle = (): boolean =>
    protocols.every((protocol, index) => derive(protocol) === before[index]);
  const idle = Object.entries(derived).flatMap(([name, table]) =>
    [...table]
      .filter((row) => without(table as unknown[], row, isIdle))
      .map((row) => rowOf(name, row)),
  );
  const isUnknown = (name: string): boolean => !words.has(name);
  const rows: readonly (readonly [string, readonly unknown[]])[] = [
    ["unions", facts.unions.filter(({ union }) => isUnknown(union))],
    ["integers", facts.integers.filter(isUnknown)],
    ["severities", facts.severities.filter((level) => !levels.has(level))],
    [
      "errorMethods",
      Object.keys(facts.errorMethods).filter((name) => !errors.has(name)),
    ],
    [
      "wellKnownExtensions",
      facts.wellKnownExtensions.filter(({ id }) => !ids.has(id)),
    ],
    [
      "requestRules",
      facts.requestRules.filter(
        ({ method, marker }) => !methods.has(method) || isUnknown(marker),
      ),
    ],
    [
      "replacedLists",
      facts.replacedLists.filter(({ list, as }) =>
        [list, ...Object.entries(as).flat()].some(isUnknown),
      ),
    ],
    [
      "messages",
      facts.messages.filter(({ method, type }) =>
        protocols.every(
          ({ messages }) =>
            !messages.some((one) => one.method === method && one.name === type),
        ),
      ),
    ],
    ["declines", facts.declines.filter(({ method }) => !methods.has(method))],
    [
      "names",
      [
        ...Object.values(facts.capabilityTypes),
        ...Object.values(facts.names).flat(),
      ].filter(isUnknown),
    ],
  ];
  return [
    ...idle,
    ...rows.flatMap(([name, table]) => table.map((row) => rowOf(name, row))),
  ];
}

const rowOf = (table: string, row: unknown): string =>
  `${table} ${JSON.stringify(row)}`;

/** The result of a check while a table lacks one of its rows. */
function without(
  table: unknown[],
  row: unknown,
  check: () => boolean,
): boolean {
  const index = table.indexOf(row);
  table.splice(index, 1);
  try {
    return check();
  } finally {
    table.splice(index, 0, row);
  }
}

/** What follows from the declarations of a protocol, as text. */
function derive(protocol: Protocol): string {
  const { declarations, revision, source, extensions } = protocol;
  const origin = { revision, source, extensions, facts: factsIn(protocol) };
  const { messages, wellKnown, meta, engineDefaults } =
    assemble(declarations, origin, new Diagnostics()) ?? protocol;
  return JSON.stringify({ messages, wellKnown, meta, engineDefaults });
}

/**
 * The names of types and members in a schema, and the first segments of its
 * methods.
 */
function wordsOf(declarations: Protocol["declarations"]): string[] {
  return declarations.flatMap(({ name, schema }) => {
    const words = [name];
    eachSchema(schema, (part) => {
      for (const property of propertiesIn(part)) words.push(property.name);
      const value = constantIn(part);
      if (value !== undefined)
        words.push(`${String(value).split("/")[0] ?? ""}/`);
    });
    return words;
  });
}
