import { Diagnostics } from "../diagnostics.js";
import { eachType, typesOf } from "./walk.js";
import { factId } from "./derive/context.js";
import { assemble } from "./derive/index.js";
import { factsIn } from "./derive/revision.js";
import * as facts from "./facts.js";
import type { Protocol } from "./model.js";

/** The fact rows that none of these protocols uses, each as table and content. A test expects none. */
export function unusedFacts(protocols: readonly Protocol[]): string[] {
  const used = new Set<string>();
  const words = new Set<string>();
  const methods = new Set<string>();
  const ids = new Set<string>();
  for (const protocol of protocols) {
    const { declarations, revision, source, extensions, messages } = protocol;
    const origin = { revision, source, extensions, facts: factsIn(protocol), used };
    assemble(declarations, origin, new Diagnostics());
    for (const { method } of messages) methods.add(method);
    for (const { id } of extensions) ids.add(id);
    for (const word of wordsOf(declarations)) words.add(word);
  }
  const rows = [
    ...table("unions", facts.unions),
    ...table("capabilities", facts.capabilities),
    ...table("conditions", facts.conditions),
    ...table("subjects", facts.subjects),
    ...table("wellKnownMethods", facts.wellKnownMethods),
    ...table("wellKnownMetaKeys", facts.wellKnownMetaKeys),
    ...table("metaKeys", facts.metaKeys),
    ...table("errorMethods", Object.keys(facts.errorMethods)),
    ...table("headerMembers", facts.headerMembers),
    ...table("engineDefaults", facts.engineDefaults),
    ...table("prefixes", facts.prefixes),
    ...table("integers", facts.integers),
    ...table("selectedResults", facts.selectedResults),
    ...table("severities", facts.severities),
    ...table(
      "wellKnownExtensions",
      facts.wellKnownExtensions.filter(({ id }) => !ids.has(id)),
    ),
    ...table(
      "requestRules",
      facts.requestRules.filter(({ method, marker }) => !methods.has(method) || !words.has(marker)),
    ),
    ...table(
      "replacedLists",
      facts.replacedLists.filter(
        ({ list, as }) => ![list, ...Object.entries(as).flat()].every((name) => words.has(name)),
      ),
    ),
    ...table(
      "declines",
      facts.declines.filter(({ method }) => !methods.has(method)),
    ),
  ].filter((row) => !used.has(row));
  const typeNames = [...Object.values(facts.capabilityTypes), ...Object.values(facts.names).flat()];
  return [...rows, ...typeNames.filter((name) => !words.has(name)).map((name) => factId("names", name))];
}

function table(name: string, rows: readonly unknown[]): string[] {
  return rows.map((row) => factId(name, row));
}

/** The names of types and members in a schema, and the first segments of its methods. */
function wordsOf(declarations: Protocol["declarations"]): string[] {
  return declarations.flatMap((declaration) => {
    const words = [declaration.name];
    if (declaration.kind === "interface") for (const { name } of declaration.properties) words.push(name);
    for (const type of typesOf(declaration)) {
      eachType(type, (inner) => {
        if (inner.kind === "object") for (const { name } of inner.properties) words.push(name);
        if (inner.kind === "literal") words.push(`${String(inner.value).split("/")[0] ?? ""}/`);
      });
    }
    return words;
  });
}
