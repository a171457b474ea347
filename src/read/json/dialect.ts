/** The dialects of JSON Schema that are read. */
export type Dialect = "draft-07" | "2020-12";

/** By `$schema`. Draft-06 differs from draft-07 in nothing that is read. */
const dialects: readonly (readonly [pattern: RegExp, dialect: Dialect])[] = [
  [/^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/, "draft-07"],
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, "2020-12"],
];

/** The dialect that a `$schema` names; null for one that is not known. */
export function dialectNamed(uri: string | null): Dialect | null {
  return dialects.find(([pattern]) => uri !== null && pattern.test(uri))?.[1] ?? null;
}
