import type { Scope } from "../../../diagnostics.js";
import type { Dialect } from "../../json/schema/context.js";
import type { Places } from "../../json/text/place.js";
import { member, show, stringOf, type JsonNode } from "../../json/text/tree.js";

/** By what `$schema` says. The drafts on both sides of draft-07 differ from their neighbour in nothing that is read here. */
const dialects: readonly (readonly [pattern: RegExp, dialect: Dialect])[] = [
  [/^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/, "draft-07"],
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, "2020-12"],
];

/** Dialects of others may mean anything by the same words. */
const familiar = /^https?:\/\/json-schema\.org\//;

/** The dialect of a schema; without a word of its own, the protocol's. Null for one that cannot be read. */
export function dialectOf(root: JsonNode, places: Places, scope: Scope): Dialect | null {
  const named = member(root, "$schema");
  if (named === null) return "2020-12";
  const uri = stringOf(named);
  const known = dialects.find(([pattern]) => uri !== null && pattern.test(uri));
  if (known !== undefined) return known[1];
  const isFamiliar = uri !== null && familiar.test(uri);
  const outcome = isFamiliar ? "read as 2020-12" : "nothing of the schema is checked or typed";
  const message = `the dialect ${show(named)} is not known; ${outcome}`;
  scope.warn("MG305", places(named.at), message, "use draft-07 or 2020-12");
  return isFamiliar ? "2020-12" : null;
}
