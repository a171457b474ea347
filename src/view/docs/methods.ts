import { exampleOfType } from "../../ir/example/example.js";
import type { Index } from "../../ir/lookup.js";
import type { Capability, Message, Protocol, RequestMessage } from "../../ir/model.js";
import type { Code } from "../typescript/code.js";
import { literalText } from "../typescript/code.js";
import type { Anchors } from "./anchors.js";
import { badgesIf } from "./badges.js";
import type { Chapter, EntryView, ExampleView, FactView, TableView } from "./entry.js";
import { attribute, joined, markup, nameText, text } from "./html.js";
import { jsonHtml } from "./json.js";
import { memberRows, typeLinks } from "./members.js";
import { docProse } from "./prose.js";

/** Methods by direction, in the order of the schema. */
const groups: readonly {
  readonly anchor: string;
  readonly title: string;
  readonly kind: Message["kind"];
  readonly sender: Message["sender"];
}[] = [
  { anchor: "client-requests", title: "Requests from a client", kind: "request", sender: "client" },
  { anchor: "server-requests", title: "Requests from a server", kind: "request", sender: "server" },
  { anchor: "either-requests", title: "Requests from either side", kind: "request", sender: "either" },
  {
    anchor: "client-notifications",
    title: "Notifications from a client",
    kind: "notification",
    sender: "client",
  },
  {
    anchor: "server-notifications",
    title: "Notifications from a server",
    kind: "notification",
    sender: "server",
  },
  {
    anchor: "either-notifications",
    title: "Notifications from either side",
    kind: "notification",
    sender: "either",
  },
];

/** A chapter for each non-empty group of methods. */
export function methodChapters(protocol: Protocol, declarations: Index, anchors: Anchors): Chapter[] {
  return groups.flatMap(({ anchor, title, kind, sender }) => {
    const messages = protocol.messages.filter(
      (message) => message.kind === kind && message.sender === sender,
    );
    if (messages.length === 0) return [];
    const entries = messages.map((message) => ({
      link: {
        anchor: attribute(anchors.claim("method", message.method)),
        name: nameText(message.method),
        isDeprecated: message.deprecated,
      },
      view: methodEntry(message, declarations, anchors),
    }));
    return [{ anchor, title, entries }];
  });
}

function methodEntry(message: Message, declarations: Index, anchors: Anchors): EntryView {
  const { method, name, params } = message;
  const doc = declarations.get(name)?.doc ?? { text: "", tags: [] };
  const isRequest = message.kind === "request";
  const rows = params.type === null ? [] : memberRows(declarations, params.type, null, anchors);
  const typeName = params.type?.kind === "reference" ? params.type.name : null;
  const table: TableView = {
    title: markup`Params`,
    type: typeName === null ? null : markup`<code>${anchors.link("type", typeName)}</code>`,
    rows,
    empty:
      rows.length > 0 ? null : params.presence === "none" ? markup`None.` : markup`No members of its own.`,
  };
  const results = isRequest ? [resultTable(message, declarations, anchors)] : [];
  return {
    anchor: attribute(anchors.claim("method", method)),
    name: nameText(method),
    title: null,
    badges: badgesIf({
      deprecated: message.deprecated,
      ...(isRequest && {
        paginated: message.items !== null,
        cacheable: message.cacheable,
        asksInput: message.asksInput,
        embedded: message.carriage === "embedded",
        uncancellable: message.carriage === "wire" && !message.cancellable,
      }),
    }),
    paragraphs: docProse(doc, anchors),
    facts: factsOf(message, anchors),
    tables: [table, ...results],
    examples: examplesOf(message, declarations),
  };
}

function resultTable({ results }: RequestMessage, declarations: Index, anchors: Anchors): TableView {
  const [ordinary = ""] = results;
  const rows = memberRows(declarations, { kind: "reference", name: ordinary }, null, anchors);
  return {
    title: markup`Result`,
    type: typeLinks(results, anchors),
    rows,
    empty: rows.length > 0 ? null : markup`None.`,
  };
}

function factsOf(message: Message, anchors: Anchors): FactView[] {
  const facts: FactView[] = [{ term: markup`Declared as`, value: typeLinks([message.name], anchors) }];
  const { capability } = message;
  if (capability !== null) facts.push({ term: markup`Needs`, value: capabilityHtml(capability) });
  if (message.kind === "notification") {
    if (message.filter !== null)
      facts.push({
        term: markup`Requested by`,
        value: markup`<code>${text(message.filter)}</code> of a listen request`,
      });
    return facts;
  }
  for (const { member, values, capability: condition } of message.conditions) {
    const words = values === null ? markup`present` : joined(values.map(valueHtml), markup` or `);
    facts.push({
      term: markup`Also needs`,
      value: markup`${capabilityHtml(condition)} where <code>${text(member)}</code> is ${words}`,
    });
  }
  return facts;
}

function valueHtml(value: string | null): Code {
  return value === null ? markup`absent` : markup`<code>${text(literalText(value))}</code>`;
}

function capabilityHtml({ side, path }: Capability): Code {
  return markup`the ${text(side)}’s capability <code>${text(path)}</code>`;
}

function examplesOf(message: Message, declarations: Index): ExampleView[] {
  const body = exampleOfType(declarations, message.name, message.method);
  if (typeof body !== "object" || body === null) return [];
  const isEmbedded = message.kind === "request" && message.carriage === "embedded";
  const envelope = isEmbedded ? {} : { jsonrpc: "2.0", ...(message.kind === "request" && { id: 1 }) };
  const example = {
    title: markup`Example`,
    code: jsonHtml({ ...envelope, ...withoutEnvelope(body), ...(isEmbedded ? {} : envelope) }),
  };
  if (message.kind !== "request") return [example];
  const result = exampleOfType(declarations, message.results[0] ?? "", "result");
  if (result === undefined) return [example];
  const response = isEmbedded ? result : { jsonrpc: "2.0", id: 1, result };
  return [
    { ...example, title: markup`Request` },
    { title: markup`Response`, code: jsonHtml(response) },
  ];
}

/** A message without the members of the JSON-RPC envelope, which revisions declare differently. */
function withoutEnvelope(body: object): object {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== "jsonrpc" && name !== "id"));
}
