import type { Diagnostics } from "../diagnostics.js";
import type { FactSources, RevisionFacts } from "../ir/derive/revision.js";
import document from "../ir/facts.schema.json" with { type: "json" };
import { parseJson } from "./json/text/parse.js";
import { member, toJson, locationsIn, positionsIn } from "./json/text/tree.js";
import { bundled, factsName, loadOptional, type Loaded } from "./load.js";

/**
 * Reads the `facts.json` of a schema, if it has one, and those of the bundled
 * revisions. Returns null after an error.
 */
export async function factsFor(
  { facts }: Loaded,
  diagnostics: Diagnostics,
): Promise<FactSources | null> {
  const own = facts === undefined ? null : await readFacts(facts, diagnostics);
  return facts !== undefined && own === null
    ? null
    : { own, bundled: await bundledFacts(diagnostics) };
}

/** The facts of the bundled revisions, oldest first. A test checks them. */
export async function bundledFacts(
  diagnostics: Diagnostics,
): Promise<FactSources["bundled"]> {
  const all = new Map<string, RevisionFacts>();
  for (const { revision, folder } of await bundled()) {
    const loaded = await loadOptional(
      `${folder}/${factsName}`,
      diagnostics.root,
    );
    if (loaded !== null)
      all.set(revision, JSON.parse(loaded.text) as RevisionFacts);
  }
  return all;
}

/**
 * Reads a `facts.json`. Reports all its problems and returns null after one.
 */
export async function readFacts(
  { text, file }: Loaded,
  diagnostics: Diagnostics,
): Promise<FactSources["own"]> {
  const before = diagnostics.list.length;
  const at = locationsIn(text, file);
  const { root: scope } = diagnostics;
  const root = parseJson(text, at, scope);
  if (root === null) return null;
  const { checkShape } = await import("./json/shape.js");
  checkShape(document, toJson(root), scope, positionsIn(root, at), {
    unknown: "MG409",
    invalid: "MG409",
    hint: "mcpgen/facts.schema.json describes the file",
  });
  const ranges = member(root, "replacedCodes");
  for (const row of ranges?.kind === "array" ? ranges.items : []) {
    const [from, to] = [member(row, "from"), member(row, "to")].map(
      (node) => node && toJson(node),
    );
    if (typeof from === "number" && typeof to === "number" && from > to)
      scope.error(
        "MG409",
        at(row.at),
        `found a range from ${from} to ${to}, expected the lower code first`,
        "swap them",
      );
  }
  if (diagnostics.list.length > before) return null;
  const facts = toJson(root) as Partial<RevisionFacts>;
  return { facts, openingAt: at(member(root, "opening")?.at ?? root.at) };
}
