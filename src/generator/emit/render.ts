import Handlebars from "handlebars";

import type { Code } from "../view/typescript/code.js";
import type { Layout } from "../view/typescript/layout.js";
import { type Part, precompiled } from "./precompiled.js";
import { printFile } from "./print.js";
import { inTemplate } from "./template-error.js";

/**
 * The data of a template: emit values, flags, and lists and records of them.
 */
type View = Code | boolean | null | readonly View[] | ViewRecord;
interface ViewRecord {
  readonly [member: string]: View;
}

const placeholder = /\u0000(\d+)\u0000/;

/** The folder of partial templates. */
const partialsFolder = "partials/";

/**
 * Compiles a template for `render`. `{{> client/side}}` includes
 * `partials/client/side.hbs`.
 *
 * @param templates templates by file name
 * @throws TemplateError if the template or a partial is missing, cannot be
 *   parsed, or includes itself
 */
export function compile(
  name: string,
  templates: ReadonlyMap<string, string>,
): Template {
  const parts = new Map<string, Fill>();
  const fill = compileFile(name, templates, parts, [name]);
  const partials = Object.fromEntries(parts);
  return { name, fill: (view) => fill(view, { partials }) };
}

type Fill = Handlebars.TemplateDelegate<unknown>;

const settings = {
  noEscape: true,
  strict: true,
  knownHelpersOnly: true,
  preventIndent: true,
};

/**
 * The source text of a template's `Precompiled`, for a module that the build
 * writes.
 */
export function precompile(text: string): string {
  const program = Handlebars.parse(text);
  const spec = String(Handlebars.precompile(program, settings));
  return `{ parts: ${JSON.stringify(partsOf(program))}, spec: ${spec} }`;
}

/**
 * Compiles a file, and its partials into `parts`. `chain` is the path of
 * includes from the template to the file.
 */
function compileFile(
  name: string,
  templates: ReadonlyMap<string, string>,
  parts: Map<string, Fill>,
  chain: readonly string[],
): Fill {
  return inTemplate(name, () => {
    const text = templates.get(name);
    if (text === undefined) throw new Error("the template does not exist");
    const { parts: includes, fill } = compileText(text);
    for (const part of includes) {
      const file = `${partialsFolder}${part.name}.hbs`;
      if (chain.includes(file))
        throw templateError(`${file} includes itself`, part.loc);
      if (!templates.has(file))
        throw templateError(`${file} does not exist`, part.loc);
      if (!parts.has(part.name)) {
        parts.set(
          part.name,
          compileFile(file, templates, parts, [...chain, file]),
        );
      }
    }
    return (view, options) => inTemplate(name, () => fill(view, options));
  });
}

/** Compiles one text, or returns its precompiled template. */
function compileText(text: string): {
  readonly parts: readonly Part[];
  readonly fill: Fill;
} {
  const precompiledTemplate = precompiled.get(text);
  if (precompiledTemplate !== undefined)
    return {
      parts: precompiledTemplate.parts,
      fill: Handlebars.template(precompiledTemplate.spec),
    };
  // Parsed here, because `compile` parses a text only when the template is
  // first filled.
  const program = Handlebars.parse(text);
  return {
    parts: partsOf(program),
    fill: Handlebars.compile(program, settings),
  };
}

const templateError = (reason: string, loc: hbs.AST.SourceLocation): Error =>
  new Handlebars.Exception(reason, { type: "", loc });

/** The names and locations of all includes of a template. */
function partsOf(program: hbs.AST.Program): Part[] {
  const parts: Part[] = [];
  const visitor = new Handlebars.Visitor();
  visitor.PartialStatement = ({ name, loc }) => {
    if (!("original" in name))
      throw templateError("the name of a partial must be constant", loc);
    parts.push({ name: name.original, loc });
  };
  visitor.accept(program);
  return parts;
}

export interface Template {
  readonly name: string;
  readonly fill: (view: unknown) => string;
}

/**
 * Fills a template and formats its lines as Prettier does.
 *
 * @throws if the view contains anything but emit values and flags, so that raw
 *   text of a schema is never printed
 */
export function render(template: Template, view: object): string {
  const layouts: Layout[] = [];
  const markedView = mark(view as ViewRecord, layouts);
  const parts = template.fill(markedView).split(placeholder);
  return printFile(
    parts.map((part, index) =>
      index % 2 === 0 ? part : (layouts[Number(part)] ?? ""),
    ),
  );
}

/**
 * Replaces each emit value with a mark. After the template is filled, the marks
 * are replaced with the layouts.
 */
function mark(value: View, layouts: Layout[]): unknown {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value !== "object")
    throw new Error(
      `A view contains a value of type ${typeof value} instead of an emit value.`,
    );
  if (isCode(value)) return `\u0000${layouts.push(value.layout) - 1}\u0000`;
  if (isList(value)) return value.map((entry) => mark(entry, layouts));
  const marked: Record<string, unknown> = {};
  for (const [member, entry] of Object.entries(value))
    marked[member] = mark(entry, layouts);
  return marked;
}

function isList(value: View): value is readonly View[] {
  return Array.isArray(value);
}

function isCode(value: object): value is Code {
  return "layout" in value && "kind" in value;
}
