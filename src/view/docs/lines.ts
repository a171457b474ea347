import { diffArrays } from "diff";
import type { Declaration, Message, Property, Protocol, Type } from "../../ir/model.js";
import { sorted } from "../../ir/json/canonical.js";
import type { JsonRecord } from "../../ir/snapshot/model.js";
import { literalText } from "../typescript/code.js";
import type { Code } from "../typescript/code.js";
import type { Anchors } from "./anchors.js";
import type { SideRow } from "./change.js";
import { markup } from "./html.js";
import { between, keyWord, mark, nameWord, plain, spell, typeWords, value, type Word } from "./words.js";

/** A line of a declaration. */
export type Line = readonly Word[];

/** A declaration as source text, one member per line; no lines without a declaration. */
export function declarationLines(declaration: Declaration | undefined): Line[] {
  switch (declaration?.kind) {
    case undefined:
      return [];
    case "constant":
      return [[mark(`const ${declaration.name} = `), value(declaration.value)]];
    case "alias":
      return aliasLines(declaration.name, declaration.type);
    case "interface": {
      const { name, bases, properties, rest } = declaration;
      const from =
        bases.length === 0
          ? []
          : [
              mark(" extends "),
              ...between(
                bases.map((base) => [nameWord(base.name)]),
                ", ",
              ),
            ];
      return [
        [mark(`interface ${name}`), ...from, mark(" {")],
        ...memberLines(properties, rest, "  "),
        [mark("}")],
      ];
    }
    default:
      return declaration satisfies never;
  }
}

function aliasLines(name: string, type: Type): Line[] {
  if (type.kind === "union") {
    return [[mark(`type ${name} =`)], ...type.members.map((member) => [mark("  | "), ...typeWords(member)])];
  }
  if (type.kind !== "object") return [[mark(`type ${name} = `), ...typeWords(type)]];
  return [[mark(`type ${name} = {`)], ...memberLines(type.properties, type.rest, "  "), [mark("}")]];
}

/** Nested objects are expanded, so that a change is shown in its own line. */
function memberLines(properties: readonly Property[], rest: Type | null, margin: string): Line[] {
  const lines = properties.flatMap(({ name, optional, type }): Line[] => {
    const head = [mark(margin), keyWord(name), mark(optional ? "?: " : ": ")];
    if (type.kind !== "object" || type.properties.length === 0) return [[...head, ...typeWords(type)]];
    return [
      [...head, mark("{")],
      ...memberLines(type.properties, type.rest, `${margin}  `),
      [mark(`${margin}}`)],
    ];
  });
  return rest === null ? lines : [...lines, [mark(`${margin}[key: string]: `), ...typeWords(rest)]];
}

/** The properties of a message, one per line. */
export function messageLines(message: Message | undefined): Line[] {
  if (message === undefined) return [];
  const { kind, method, name, sender, params, capability } = message;
  const lines: Line[] = [
    [mark(`${kind} `), value(method)],
    [mark("  declared as "), nameWord(name)],
    [mark(`  sent by ${sender === "either" ? "either side" : sender}`)],
    [
      mark("  params "),
      ...(params.type === null ? [mark("none")] : paramWords(params.type)),
      ...(params.presence === "optional" ? [mark(" (optional)")] : []),
    ],
  ];
  if (capability !== null)
    lines.push([mark(`  needs the ${capability.side}'s capability `), value(capability.path)]);
  if (message.kind === "notification") {
    if (message.filter !== null) lines.push([mark("  requested by "), value(message.filter)]);
    if (message.subject !== null) lines.push([mark("  sent to subscribers of its "), value(message.subject)]);
    return lines;
  }
  for (const { member, values, capability: condition } of message.conditions) {
    const words = values === null ? [mark("present")] : between(values.map(valueWords), " or ");
    lines.push([
      mark(`  needs the ${condition.side}'s capability `),
      value(condition.path),
      mark(" where "),
      value(member),
      mark(" is "),
      ...words,
    ]);
  }
  lines.push([
    mark("  result: "),
    ...between(
      message.results.map((result) => [nameWord(result)]),
      " or ",
    ),
  ]);
  if (message.items !== null) lines.push([mark("  paginated, in "), value(message.items)]);
  if (message.cacheable) lines.push([mark("  cacheable")]);
  if (message.asksInput) lines.push([mark("  may ask for input")]);
  if (message.carriage === "embedded") lines.push([mark("  inside a result")]);
  if (message.headerMember !== null)
    lines.push([mark("  repeated in an HTTP header: "), value(message.headerMember)]);
  if (!message.cancellable && message.carriage === "wire") lines.push([mark("  cannot be cancelled")]);
  return lines;
}

function valueWords(of: string | null): Word[] {
  return [of === null ? mark("absent") : value(of)];
}

function paramWords(type: Type): Word[] {
  return type.kind === "object" ? [mark("written inline")] : typeWords(type);
}

/** The properties of a revision as a whole. */
export function protocolLines({
  opening,
  batches,
  headers,
  meta,
  levels,
  errors,
  idlessErrors,
  primedStreams,
}: Protocol): Line[] {
  const list = (title: string, entries: readonly (readonly [string, string])[]): Line[] =>
    entries.map(([role, name]) => [mark(`${title} for ${role}: `), value(name)]);
  return [
    [
      mark(
        `opens ${opening === "initialize" ? "with an initialize handshake" : "with metadata on every request"}`,
      ),
    ],
    [mark(`batches: ${batches ? "yes" : "no"}`)],
    [mark(`errors without an id: ${idlessErrors ? "yes" : "no"}`)],
    [mark(`HTTP streams that begin with an event id: ${primedStreams ? "yes" : "no"}`)],
    ...Object.entries(errors).map(([name, code]): Line => [
      mark(`error code ${name}: `),
      value(String(code)),
    ]),
    ...list("header", Object.entries(headers)),
    ...list("metadata", Object.entries(meta)),
    ...(levels.length === 0 ? [] : [[mark(`log levels: ${levels.map(literalText).join(", ")}`)]]),
  ];
}

/** A value of a server as JSON with sorted members; no lines without a value. */
export function jsonLines(value: JsonRecord | undefined): Line[] {
  if (value === undefined) return [];
  return JSON.stringify(sorted(value), null, 2)
    .split("\n")
    .map((line) => [mark(line)]);
}

/** The maximum number of lines that are compared; beyond it, all old lines precede all new ones. */
const maxCompared = 4000;

/** Two texts side by side; equal lines are in the same row. */
export function sideRows(was: readonly Line[], is: readonly Line[], anchors: Anchors): SideRow[] {
  const [previous, current] = [was.map(plain), is.map(plain)];
  const parts =
    previous.length + current.length > maxCompared
      ? [
          { value: previous, removed: true, added: false },
          { value: current, removed: false, added: true },
        ]
      : diffArrays(previous, current);
  const rows: SideRow[] = [];
  let [left, right] = [0, 0];
  let [removed, added]: [Code[], Code[]] = [[], []];
  const flush = (): void => {
    for (let i = 0; i < Math.max(removed.length, added.length); i += 1) {
      rows.push({ kind: markup`apart`, was: removed[i] ?? null, is: added[i] ?? null });
    }
    [removed, added] = [[], []];
  };
  for (const { value: lines, removed: isRemoved, added: isAdded } of parts) {
    for (const _ of lines) {
      const words = isRemoved ? was[left] : is[right];
      const line = markup`<code>${spell(words ?? [], anchors)}</code>`;
      if (isRemoved) removed.push(markup`<del>${line}</del>`);
      else if (isAdded) added.push(markup`<ins>${line}</ins>`);
      else {
        flush();
        rows.push({
          kind: markup`same`,
          was: markup`<code>${spell(was[left] ?? [], anchors)}</code>`,
          is: line,
        });
      }
      if (!isAdded) left += 1;
      if (!isRemoved) right += 1;
    }
  }
  flush();
  return rows;
}
