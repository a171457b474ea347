import { index } from "../../ir/lookup.js";
import type { Protocol } from "../../ir/model.js";
import type { Code } from "../typescript/code.js";
import { Anchors } from "./anchors.js";
import { constantChapters } from "./constants.js";
import { typeChapters } from "./declarations.js";
import type { Chapter, FactView } from "./entry.js";
import { markup, joined, text } from "./html.js";
import { methodChapters } from "./methods.js";
import type { Subjects } from "./page.js";
import { usesIn } from "./uses.js";

/** A page on one revision: its methods, types and error codes. */
export function revisionPage(protocol: Protocol): Subjects {
  const anchors = new Anchors();
  const declarations = index(protocol);
  // All anchors are assigned before the first link is made.
  for (const { method } of protocol.messages) anchors.claim("method", method);
  for (const { kind, name } of declarations.values())
    anchors.claim(kind === "constant" ? "constant" : "type", name);
  const chapters: Chapter[] = [
    ...methodChapters(protocol, declarations, anchors),
    ...constantChapters(protocol, anchors),
    ...typeChapters(declarations, usesIn(protocol), anchors),
  ];
  return {
    kind: "Protocol revision",
    title: protocol.revision,
    paragraphs: [],
    facts: factsOf(protocol),
    chapters,
  };
}

function countsOf({ messages, declarations }: Protocol): string {
  const requests = messages.filter(({ kind }) => kind === "request").length;
  const types = declarations.filter(({ kind }) => kind !== "constant").length;
  const counts = [
    plural(requests, "request"),
    plural(messages.length - requests, "notification"),
    plural(types, "type"),
  ];
  return counts.join(", ");
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** The facts of the revision as a whole. */
export function factsOf(protocol: Protocol): FactView[] {
  const { opening, batches, headers, meta, levels } = protocol;
  const start =
    opening === "initialize" ? markup`with an initialize handshake` : markup`with metadata on every request`;
  return [
    { term: markup`Size`, value: text(countsOf(protocol)) },
    { term: markup`Sessions begin`, value: start },
    { term: markup`Batches`, value: batches ? markup`yes` : markup`no` },
    ...listFact(markup`HTTP headers`, Object.values(headers)),
    ...listFact(markup`Reserved metadata`, Object.values(meta)),
    ...listFact(markup`Log levels`, levels),
  ];
}

function listFact(term: Code, names: readonly string[]): FactView[] {
  if (names.length === 0) return [];
  const value = joined(
    names.map((name) => markup`<code>${text(name)}</code>`),
    markup`, `,
  );
  return [{ term, value }];
}
