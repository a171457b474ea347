import type { Fill, Protocol } from "../model.js";
import type { Change } from "./model.js";
import { compareTraits } from "./traits.js";
import type { Finding } from "./variance.js";

/** What is true of a protocol as a whole. */
export type WholeFacts = Omit<Protocol, "format" | "revision" | "source" | "declarations" | "messages">;

/** What is told below, and what is no difference. All else that is known of a protocol is a trait. */
const told: ReadonlySet<string> = new Set([
  "format",
  "revision",
  "source",
  "opening",
  "batches",
  "idlessErrors",
  "primedStreams",
  "errors",
  "headers",
  "jobs",
  "meta",
  "fills",
  "declarations",
  "messages",
]);

/** What sets two protocols apart beside their messages and types. */
export function compareWholes(was: WholeFacts, is: WholeFacts): Finding[] {
  const found: Finding[] = [];
  if (was.opening !== is.opening) {
    found.push({ change: "opening-changed", path: "", was: was.opening, is: is.opening });
  }
  if (was.batches !== is.batches) {
    const change = is.batches ? "batches-added" : "batches-removed";
    found.push({ change, path: "", was: String(was.batches), is: String(is.batches) });
  }
  if (was.idlessErrors !== is.idlessErrors) {
    const change = is.idlessErrors ? "idless-errors-added" : "idless-errors-removed";
    found.push({ change, path: "", was: String(was.idlessErrors), is: String(is.idlessErrors) });
  }
  if (was.primedStreams !== is.primedStreams) {
    const change = is.primedStreams ? "primed-streams-added" : "primed-streams-removed";
    found.push({ change, path: "", was: String(was.primedStreams), is: String(is.primedStreams) });
  }
  const headers = (old: string | null, fresh: string | null): Change => {
    if (old === null) return "header-added";
    return fresh === null ? "header-removed" : "header-renamed";
  };
  return [
    ...found,
    ...compareMaps(".headers", was.headers, is.headers, headers),
    ...compareMaps(".errors", textOf(was.errors), textOf(is.errors), () => "error-code-changed"),
    ...compareMaps(".jobs", was.jobs, is.jobs, () => "job-changed"),
    ...compareMaps(".meta", was.meta, is.meta, () => "meta-key-changed"),
    ...compareMaps(".fills", fillsOf(was.fills), fillsOf(is.fills), () => "fill-changed"),
    ...compareTraits(was, is, told),
  ];
}

function compareMaps(
  path: string,
  was: Readonly<Record<string, string>>,
  is: Readonly<Record<string, string>>,
  change: (old: string | null, fresh: string | null) => Change,
): Finding[] {
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((key): Finding[] => {
    const [old, fresh] = [was[key] ?? null, is[key] ?? null];
    return old === fresh ? [] : [{ change: change(old, fresh), path: `${path}.${key}`, was: old, is: fresh }];
  });
}

function textOf(codes: Protocol["errors"]): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(codes).map(([name, code]) => [name, String(code)]));
}

function fillsOf(fills: readonly Fill[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    fills.map(({ place, member, value }) => [`${place}.${member}`, JSON.stringify(value)]),
  );
}
