import { exampleOfType } from "../../../generator/ir/example/example.js";
import { anything, type Schema } from "../../../generator/ir/constraint.js";
import {
  constantIn,
  reference,
  referenceIn,
} from "../../../generator/ir/constraint/form.js";
import { definitionsOf, merged } from "../../../generator/ir/definitions.js";
import { groupsOf } from "../../../generator/ir/groups.js";
import {
  index,
  namesIn,
  tagOf,
  type Index,
} from "../../../generator/ir/lookup.js";
import type {
  Capability,
  Declaration,
  Message,
  Protocol,
} from "../../../generator/ir/model.js";
import { literalText } from "../../../generator/view/typescript/code.js";
import { Anchors } from "./anchors.js";
import {
  code,
  example,
  factList,
  joined,
  listFact,
  markup,
  namesFact,
  text,
} from "./markdown.js";
import type { Fact, Markdown } from "./markdown.js";
import { chapterOf, type Chapter, type Entry, type Page } from "./page.js";
import { Schemas } from "./schemas.js";

/** A revision, and the anchors of the page that it is described on. */
interface Revision {
  readonly protocol: Protocol;
  readonly declarations: Index;
  readonly schemas: Schemas;
  readonly anchors: Anchors;
}

export function revisionOn(anchors: Anchors, protocol: Protocol): Revision {
  const declarations = index(protocol);
  return {
    protocol,
    declarations,
    anchors,
    schemas: new Schemas(definitionsOf(declarations), (name) => name, anchors),
  };
}

/** A page on one revision: its methods, error codes and types. */
export function revisionPage(protocol: Protocol): Page {
  const anchors = new Anchors();
  const revision = revisionOn(anchors, protocol);
  // All anchors are assigned before the first link is made.
  for (const { method } of protocol.messages) anchors.claim("method", method);
  for (const { kind, name } of revision.declarations.values())
    anchors.claim(kind === "constant" ? "constant" : "type", name);
  return {
    title: protocol.revision,
    blocks: [
      markup`A revision of the Model Context Protocol.`,
      ...factList(revisionFacts(protocol)),
    ],
    chapters: [
      ...methodChapters(revision),
      ...constantChapters(revision),
      ...typeChapters(revision),
    ],
  };
}

/** The facts of the revision as a whole. */
function revisionFacts(protocol: Protocol): Fact[] {
  const { messages, declarations, opening, errors, headers, meta, levels } =
    protocol;
  const requests = messages.filter(({ kind }) => kind === "request").length;
  const types = declarations.filter(({ kind }) => kind !== "constant").length;
  const said = (value: boolean): Markdown => (value ? markup`yes` : markup`no`);
  const size = markup`requests (${requests}), notifications (${messages.length - requests}), types (${types})`;
  const begin =
    opening === "initialize"
      ? markup`with an initialize handshake`
      : markup`with metadata on every request`;
  const codes = Object.entries(errors).map(
    ([name, value]) => `${name} = ${value}`,
  );
  return [
    ["Size", size],
    ["Sessions begin", begin],
    ["Batches", said(protocol.batches)],
    ["Errors without an id", said(protocol.idlessErrors)],
    ["HTTP streams that begin with an event id", said(protocol.primedStreams)],
    ...namesFact("Error codes", codes),
    ...namesFact("HTTP headers", Object.values(headers)),
    ...namesFact("Reserved metadata", Object.values(meta)),
    ...namesFact("Log levels", levels),
  ];
}

/**
 * A chapter for each kind and sender of methods, in the order of the schema.
 */
function methodChapters(revision: Revision): Chapter[] {
  return (["request", "notification"] as const).flatMap((kind) =>
    (["client", "server", "either"] as const).flatMap((sender) => {
      const entries = revision.protocol.messages
        .filter((message) => message.kind === kind && message.sender === sender)
        .map((message) => methodEntry(message, revision));
      const name = kind === "request" ? "Requests" : "Notifications";
      const origin = sender === "either" ? "either side" : `a ${sender}`;
      return chapterOf(`${name} from ${origin}`, entries);
    }),
  );
}

/** A method with its params and its result, and an example of each. */
function methodEntry(
  message: Message,
  { declarations, schemas, anchors }: Revision,
): Entry {
  const { method, name, params, deprecated } = message;
  const section = (
    title: string,
    names: readonly string[],
    schema: Schema,
  ): Markdown[] => {
    const links = joined(
      names.map((link) => anchors.link("type", link)),
      " or ",
    );
    const head =
      names.length === 0 ? text(title) : markup`${text(title)}: ${links}`;
    return schemas.section(head, merged(declarations, schema));
  };
  const results = message.kind === "request" ? message.results : [];
  const paramsSection =
    params.schema === null
      ? [markup`**Params:** none`]
      : section("Params", namedBy(params.schema), params.schema);
  // The first result is the ordinary one.
  const resultSection = results
    .slice(0, 1)
    .flatMap((result) => section("Result", results, reference(result)));
  return {
    anchor: anchors.of("method", method),
    name: method,
    isDeprecated: deprecated,
    marks: marksOf(message),
    prose: anchors.doc((declarations.get(name)?.schema ?? anything).doc),
    facts: messageFacts(message, anchors),
    sections: [...paramsSection, ...resultSection],
    examples: messageExamples(message, declarations),
  };
}

/** The name of the type that a schema refers to. */
function namedBy(schema: Schema): string[] {
  const name = referenceIn(schema);
  return name === null ? [] : [name];
}

function marksOf(message: Message): string[] {
  const marks: string[] = [];
  if (message.kind === "notification") return marks;
  if (message.items !== null) marks.push("paginated");
  if (message.cacheable) marks.push("cacheable");
  if (message.asksInput) marks.push("may ask for input");
  if (message.carriage === "embedded") marks.push("inside a result");
  else if (!message.cancellable) marks.push("cannot be cancelled");
  return marks;
}

function messageFacts(message: Message, anchors: Anchors): Fact[] {
  const facts: Fact[] = [
    [
      "Sent by",
      text(
        message.sender === "either" ? "either side" : `the ${message.sender}`,
      ),
    ],
    ["Declared as", anchors.link("type", message.name)],
  ];
  const { capability } = message;
  if (capability !== null) facts.push(["Needs", capabilityText(capability)]);
  if (message.kind === "notification") {
    if (message.filter !== null)
      facts.push([
        "Requested by",
        markup`${code(message.filter)} of a listen request`,
      ]);
    if (message.subject !== null)
      facts.push(["Sent to subscribers of its", code(message.subject)]);
    return facts;
  }
  for (const { member, values, capability: needed } of message.conditions) {
    const cases = values?.map((value) =>
      value === null ? markup`absent` : code(literalText(value)),
    );
    const when = cases === undefined ? markup`present` : joined(cases, " or ");
    facts.push([
      "Also needs",
      markup`${capabilityText(needed)} where ${code(member)} is ${when}`,
    ]);
  }
  if (message.headerMember !== null)
    facts.push(["Repeated in an HTTP header", code(message.headerMember)]);
  return facts;
}

function capabilityText({ side, path }: Capability): Markdown {
  return markup`the ${text(side)}’s capability ${code(path)}`;
}

function messageExamples(message: Message, declarations: Index): Markdown[] {
  const body = exampleOfType(declarations, message.name, message.method);
  if (typeof body !== "object" || body === null) return [];
  const isEmbedded =
    message.kind === "request" && message.carriage === "embedded";
  const common = isEmbedded
    ? {}
    : { jsonrpc: "2.0", ...(message.kind === "request" && { id: 1 }) };
  // Revisions declare these members of JSON-RPC differently.
  const members = Object.entries(body).filter(
    ([name]) => name !== "jsonrpc" && name !== "id",
  );
  const request = { ...common, ...Object.fromEntries(members) };
  const [ordinary = ""] = message.kind === "request" ? message.results : [];
  const result = exampleOfType(declarations, ordinary, "result");
  if (result === undefined) return example("Example", request);
  const response = isEmbedded ? result : { ...common, result };
  return [
    ...example("Example of a request", request),
    ...example("Example of a response", response),
  ];
}

/**
 * Error codes and the other constants of a revision: numbers are codes, strings
 * are not.
 */
export function constantChapters(revision: Revision): Chapter[] {
  const entriesOf = (isCode: boolean): Entry[] =>
    revision.protocol.declarations
      .filter(
        ({ kind, schema }) =>
          kind === "constant" &&
          (typeof constantIn(schema) === "number") === isCode,
      )
      .map((constant) => declarationEntry(constant, revision));
  return [
    ...chapterOf("Error codes", entriesOf(true)),
    ...chapterOf("Constants", entriesOf(false)),
  ];
}

/**
 * The types of a revision by category, each category in the order of its first
 * type.
 */
function typeChapters(revision: Revision): Chapter[] {
  const uses = usesIn(revision.protocol);
  const types = [...revision.declarations.values()].filter(
    ({ kind }) => kind !== "constant",
  );
  const groups = groupsOf(types, ({ schema }) =>
    (tagOf(schema.doc, "category") ?? "").replaceAll("`", ""),
  );
  // Types without a category come last. Their chapter has a title of its own
  // only if there are other categories.
  return [...groups]
    .sort(([a], [b]) => Number(a === "") - Number(b === ""))
    .flatMap(([category, own]) => {
      const entries = own.map((type) =>
        declarationEntry(type, revision, uses.get(type.name)),
      );
      const other = groups.size === 1 ? "Types" : "Other types";
      const title = category === "" ? other : `Types: ${category}`;
      return chapterOf(title, entries);
    });
}

/** A type with its members, or a constant with its value. */
function declarationEntry(
  declaration: Declaration,
  { declarations, schemas, anchors }: Revision,
  users: readonly Use[] = [],
): Entry {
  const { kind, name, bases, schema } = declaration;
  const isDeprecated = tagOf(schema.doc, "deprecated") !== null;
  const head = { name, isDeprecated, prose: anchors.doc(schema.doc) };
  if (kind === "constant") {
    const title = code(literalText(constantIn(schema) ?? null));
    return { ...head, anchor: anchors.of(kind, name), title };
  }
  const linksTo = (names: readonly string[]): Markdown[] =>
    names.map((other) => anchors.link("type", other));
  const uses = users.map(([subject, user]) => anchors.link(subject, user));
  const value = exampleOfType(declarations, name, name);
  const hasMembers =
    typeof value === "object" &&
    value !== null &&
    Object.keys(value).length > 0;
  return {
    ...head,
    anchor: anchors.of("type", name),
    facts: [
      ...listFact("Extends", linksTo(bases.map((base) => base.name))),
      ...listFact("Another name of", linksTo(namedBy(schema))),
      ...listFact("Used by", uses),
    ],
    sections: schemas.section(markup`Members`, reference(name), markup`Type`),
    examples: hasMembers ? example("Example", value) : [],
  };
}

/** What refers to a type: another type, or a method in its params or result. */
type Use = readonly [subject: "method" | "type", name: string];

/** The uses of each type, in the order of the schema, methods first. */
function usesIn({
  messages,
  declarations,
}: Protocol): ReadonlyMap<string, readonly Use[]> {
  const named = [
    ...messages.map((message) => {
      const { name, method, params } = message;
      const results = message.kind === "request" ? message.results : [];
      const names =
        params.schema === null ? [] : namesIn({ schema: params.schema });
      return {
        use: ["method", method] as const,
        names: [name, ...names, ...results],
      };
    }),
    ...declarations.map((declaration) => {
      const { name } = declaration;
      const names = namesIn(declaration).filter((other) => other !== name);
      return { use: ["type", name] as const, names };
    }),
  ];
  const uses = new Map<string, Use[]>();
  for (const { use, names } of named)
    for (const name of new Set(names))
      uses.set(name, [...(uses.get(name) ?? []), use]);
  return uses;
}
