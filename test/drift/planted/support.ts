import type { Change } from "../../../src/generator/ir/change/kinds.js";
import type { Severity } from "../../../src/generator/ir/change/model.js";

/**
 * A snapshot as JSON without types, so that a row can change any part of it.
 */
export type Loose = { [member: string]: Loose } & Loose[] & {
    [Symbol.toPrimitive]?: never;
  };

/** The snapshot of a server that has at least one of every feature. */
export const base: string = JSON.stringify({
  format: 1,
  revision: "2025-11-25",
  server: { name: "desk", title: "Desk", version: "1.0.0" },
  capabilities: {
    experimental: { shelves: { most: 5 } },
    logging: {},
    prompts: {},
    resources: { subscribe: true },
    tools: { listChanged: true },
  },
  instructions: "Look a book up before you lend it.",
  tools: [
    {
      name: "find_books",
      title: "Find books",
      description: "Finds books by their words.",
      annotations: { readOnlyHint: true, openWorldHint: false },
      inputSchema: {
        type: "object",
        properties: {
          words: {
            type: "string",
            minLength: 1,
            description: "What to look for.",
          },
          shelf: { type: "string", enum: ["fiction", "science", "travel"] },
          most: { type: "integer", minimum: 1, maximum: 50, default: 10 },
          near: { $ref: "#/$defs/Place" },
          by: {
            anyOf: [
              { type: "string" },
              { type: "array", items: { type: "string" } },
            ],
          },
        },
        required: ["words"],
        $defs: {
          Place: {
            type: "object",
            properties: { town: { type: "string" } },
            required: ["town"],
          },
        },
      },
      outputSchema: {
        type: "object",
        properties: {
          books: {
            type: "array",
            items: {
              type: "object",
              properties: {
                id: { type: "string" },
                state: { enum: ["in", "out"] },
                pages: { type: "number" },
              },
              required: ["id", "state"],
            },
          },
          total: { type: "integer" },
        },
        required: ["books", "total"],
        additionalProperties: false,
      },
    },
    {
      name: "lend_book",
      description: "Lends a book to a reader.",
      annotations: { destructiveHint: false, idempotentHint: true },
      inputSchema: {
        type: "object",
        properties: {
          id: { type: "string", pattern: "^B[0-9]+$" },
          days: { type: "number" },
        },
        required: ["id"],
        additionalProperties: false,
      },
    },
  ],
  prompts: [
    {
      name: "advise",
      description: "What to read next.",
      arguments: [{ name: "taste", required: true }, { name: "mood" }],
    },
  ],
  resources: [{ name: "rules", uri: "desk://rules", mimeType: "text/plain" }],
  resourceTemplates: [
    {
      name: "book",
      uriTemplate: "desk://books/{id}{?page}",
      mimeType: "text/plain",
    },
  ],
});

export interface Planted {
  readonly title: string;
  /** Changes a copy of `base`. */
  plant(snapshot: Loose): void;
  readonly change: Change;
  /** The subject and the path, as in a report. */
  readonly at: string;
  readonly callers: Severity;
  readonly implementers: Severity;
}

export const input = (snapshot: Loose): Loose =>
  at(snapshot, "tools", 0, "inputSchema", "properties");
export const output = (snapshot: Loose): Loose =>
  at(snapshot, "tools", 0, "outputSchema", "properties");
export const book = (snapshot: Loose): Loose =>
  at(output(snapshot), "books", "items", "properties");

export function at(
  value: Loose,
  ...steps: readonly (string | number)[]
): Loose {
  return steps.reduce<Loose>(
    (inner, step) => (inner as Record<string | number, Loose>)[step] as Loose,
    value,
  );
}

export function set(value: Loose, name: string, member: unknown): void {
  (value as Record<string, unknown>)[name] = member;
}

export const row = (
  title: string,
  change: Change,
  at: string,
  callers: Severity,
  implementers: Severity,
  plant: (snapshot: Loose) => void,
): Planted => ({ title, change, at, callers, implementers, plant });
