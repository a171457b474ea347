/** The supported dialects of JSON Schema. */
export type Dialect = "draft-07" | "2020-12";

/** The dialects by `$schema`. Draft-06 has the same meaning as draft-07 for all keywords that are read. */
const dialects: readonly (readonly [pattern: RegExp, dialect: Dialect])[] = [
  [/^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/, "draft-07"],
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, "2020-12"],
];

/** The dialect of a `$schema`; null for an unknown one. */
export function dialectNamed(uri: string | null): Dialect | null {
  return dialects.find(([pattern]) => uri !== null && pattern.test(uri))?.[1] ?? null;
}
