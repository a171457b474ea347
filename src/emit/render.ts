import Handlebars from "handlebars";

import type { Code } from "../view/code.js";
import type { Layout } from "../view/layout.js";
import { printFile } from "./print.js";

/** Everything a template may be given: emit values, flags, lists and records of them. */
export type View = Code | boolean | null | readonly View[] | ViewRecord;
export interface ViewRecord {
  readonly [member: string]: View;
}

const MARK = /\u0000(\d+)\u0000/;

/** Compiles a template of ours or of a user's; `render` fills it. Throws when the template cannot be parsed. */
export function compile(name: string, text: string): Template {
  // Parsed here, since `compile` itself would put it off until the template is first filled.
  const fill = Handlebars.compile<unknown>(Handlebars.parse(text), {
    noEscape: true,
    strict: true,
    knownHelpersOnly: true,
    preventIndent: true,
  });
  return { name, fill };
}

export interface Template {
  readonly name: string;
  readonly fill: (view: unknown) => string;
}

/**
 * Fills a template and lays its lines out as prettier would.
 *
 * @throws when the view holds anything but emit values and flags, so that no raw text of a schema is ever printed
 */
export function render(template: Template, view: object): string {
  const layouts: Layout[] = [];
  const marked = mark(view as ViewRecord, layouts);
  const parts = template.fill(marked).split(MARK);
  return printFile(parts.map((part, index) => (index % 2 === 0 ? part : (layouts[Number(part)] ?? ""))));
}

/** Stands a mark in for every emit value; the layout comes back in once the template has placed it. */
function mark(value: View, layouts: Layout[]): unknown {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value !== "object") throw new Error(`A view held ${typeof value} where an emit value belongs.`);
  if (isCode(value)) return `\u0000${layouts.push(value.layout) - 1}\u0000`;
  if (isList(value)) return value.map((entry) => mark(entry, layouts));
  return Object.fromEntries(Object.entries(value).map(([member, entry]) => [member, mark(entry, layouts)]));
}

function isList(value: View): value is readonly View[] {
  return Array.isArray(value);
}

function isCode(value: object): value is Code {
  return "layout" in value && "kind" in value;
}
