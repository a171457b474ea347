import { createHash } from "node:crypto";
import { byText } from "../../common/by-text.js";
import { withoutLayout } from "../../common/tokens.js";
import { jsonText } from "../ir/json/text.js";
import { isRecord, parseOrUndefined } from "../ir/json/value.js";

/**
 * The file in a generated directory that lists its generated files and their
 * sources.
 */
export const manifestName = ".mcpgen.json";

/**
 * Ownership and provenance of one generated directory. It contains no time,
 * host name or absolute path.
 */
export interface Manifest extends Provenance {
  readonly format: 1;
  /**
   * The `digestOf` each generated file, by its path relative to the manifest,
   * sorted.
   */
  readonly files: ReadonlyMap<string, string>;
  /**
   * Files that the user edits and owns, each with the `digestOf` it when it was
   * written. A run writes one only if it is missing.
   */
  readonly once: ReadonlyMap<string, string>;
  /**
   * Files that an earlier run wrote and this one no longer does; `--clean`
   * removes the unmodified ones.
   */
  readonly leftovers: ReadonlyMap<string, string>;
  /**
   * The digests that files had before a run which has not ended yet, by path.
   * The files are as before it, or as `files` says.
   */
  readonly replaced: ReadonlyMap<string, string>;
  /**
   * The names that a project has given, which stay in later runs: by group,
   * each with what has it, in that order.
   */
  readonly names: Names;
}

export type Names = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Everything that determines the output of a run: equal provenance means equal
 * output.
 */
export interface Provenance {
  /** The version of mcpgen. */
  readonly generator: string;
  readonly sources: readonly ManifestSource[];
  readonly options: ManifestOptions;
}

/**
 * The provenance that is known before the schema is read. A null revision
 * matches any, because the schema may name it.
 */
export interface Expectation extends Omit<Provenance, "sources"> {
  readonly sources: readonly (Omit<ManifestSource, "revision"> & {
    readonly revision: string | null;
  })[];
}

/** One revision that the directory was generated from. */
export interface ManifestSource {
  readonly revision: string;
  readonly name: string;
  /** Lower-case hex of the bytes that were read. */
  readonly sha256: string;
}

/** The options that change the output. Files are represented by digests. */
export interface ManifestOptions {
  readonly emit: readonly string[];
  readonly runtime: string;
  readonly importExtension: string;
  /** Digest of the overriding templates, null without any. */
  readonly templates: string | null;
  /** Digest of the extensions merged in; left out without any. */
  readonly extensions?: string | null;
  /**
   * Digest of the `facts.json` files of the user's schemas; left out without
   * any.
   */
  readonly facts?: string | null;
  /**
   * Digest of what a configuration chooses of a server, and of the names of
   * shared support files; left out without any.
   */
  readonly choices?: string | null;
  /**
   * The folder of a revision that the files import from, relative to the
   * manifest; left out without one.
   */
  readonly protocol?: string | null;
}

export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/**
 * The digest of a generated file: the sha256 of its bytes and, for a module or
 * JSON, that of its tokens, which a formatter does not change. The layout of
 * any other file, such as a page, is part of it.
 */
export function digestOf(path: string, text: string): string {
  return /\.(ts|json)$/.test(path)
    ? `${sha256(text)} ${digestOfTokens(text)}`
    : sha256(text);
}

/**
 * True if a file is what the digest is of, apart from its layout and from CR LF
 * for LF. An earlier version of mcpgen wrote no tokens.
 */
export function hasDigest(bytes: Uint8Array, digest: string): boolean {
  const [ofBytes, ofTokens] = digest.split(" ");
  if (sha256(bytes) === ofBytes) return true;
  const text = new TextDecoder().decode(bytes).replaceAll("\r\n", "\n");
  return (
    sha256(text) === ofBytes ||
    (ofTokens !== undefined && digestOfTokens(text) === ofTokens)
  );
}

const digestOfTokens = (text: string): string => sha256(withoutLayout(text));

/**
 * The manifest as the text of `.mcpgen.json`. Equal manifests give equal bytes.
 */
export function renderManifest(manifest: Manifest): string {
  const {
    format,
    generator,
    sources,
    options,
    files,
    once,
    leftovers,
    replaced,
    names,
  } = manifest;
  const known = sources.map(({ revision, name, sha256: digest }) => ({
    revision,
    name,
    sha256: digest,
  }));
  const hasNames = Object.keys(names).length > 0;
  const whole = {
    format,
    generator: `mcpgen ${generator}`,
    sources: known,
    options: { ...pickOptions(options) },
    files: sortedRecord(files),
    ...(once.size > 0 && { once: sortedRecord(once) }),
    ...(leftovers.size > 0 && { leftovers: sortedRecord(leftovers) }),
    ...(replaced.size > 0 && { replaced: sortedRecord(replaced) }),
    ...(hasNames && { names }),
  };
  return jsonText(whole);
}

/** Parses a manifest. Returns the reason as text if it is not one. */
export function parseManifest(text: string): Manifest | string {
  const value = recordOfFormat1(text);
  if (typeof value === "string") return value;
  const {
    generator,
    sources,
    options,
    files,
    once = {},
    leftovers = {},
    replaced = {},
    names = {},
  } = value;
  if (typeof generator !== "string" || !generator.startsWith("mcpgen "))
    return "it has no generator";
  if (!isSources(sources)) return "its sources cannot be read";
  if (!isOptions(options)) return "its options cannot be read";
  // An earlier version of mcpgen wrote only the paths. Without its digest, no
  // file is known as unedited.
  const written = isTexts(once)
    ? Object.fromEntries(once.map((path) => [path, ""]))
    : once;
  if (
    !isDigests(files) ||
    !isDigests(written) ||
    !isDigests(leftovers) ||
    !isDigests(replaced)
  )
    return "its list of files cannot be read";
  if (!isRecord(names) || !Object.values(names).every(isDigests))
    return "its names cannot be read";
  return {
    format: 1,
    generator: generator.slice("mcpgen ".length),
    sources,
    options: { ...noOptions, ...options },
    files: new Map(Object.entries(files)),
    once: new Map(Object.entries(written)),
    leftovers: new Map(Object.entries(leftovers)),
    replaced: new Map(Object.entries(replaced)),
    names: names as Names,
  };
}

/**
 * The members of a JSON file of format 1; the reason as text if it is not one.
 */
export function recordOfFormat1(
  text: string,
): Readonly<Record<string, unknown>> | string {
  const value = parseOrUndefined(text);
  if (value === undefined) return "it is not JSON";
  if (!isRecord(value)) return "it is not a JSON object";
  if (value["format"] === 1) return value;
  return `its format is ${JSON.stringify(value["format"]) ?? "missing"}, but this version of mcpgen reads format 1`;
}

/**
 * True if a reason of `recordOfFormat1` is a number: a later version of mcpgen
 * has written the file, and reads it.
 */
export const isLaterFormat = (reason: string): boolean =>
  /^its format is \d/.test(reason);

/**
 * True if a run with this provenance would write the same files as the run of
 * the manifest.
 */
export function meetsExpectation(
  actual: Provenance,
  expected: Expectation,
): boolean {
  const sources = expected.sources.map((source, index) => ({
    ...source,
    revision: source.revision ?? actual.sources[index]?.revision ?? "",
  }));
  return provenanceKey(actual) === provenanceKey({ ...expected, sources });
}

function provenanceKey({ generator, sources, options }: Provenance): string {
  return JSON.stringify([
    generator,
    sources.map(({ revision, name, sha256: digest }) => [
      revision,
      name,
      digest,
    ]),
    pickOptions(options),
  ]);
}

/** The options that a manifest leaves out if they are null. */
const noOptions = {
  extensions: null,
  facts: null,
  choices: null,
  protocol: null,
} as const;
const optional = Object.keys(noOptions) as (keyof typeof noOptions)[];

function pickOptions(options: ManifestOptions): ManifestOptions {
  const { emit, runtime, importExtension, templates } = options;
  const others = optional.map((name) => [name, options[name] ?? null] as const);
  const present = Object.fromEntries(
    others.filter(([, value]) => value !== null),
  );
  return { emit, runtime, importExtension, templates, ...present };
}

/**
 * Sorts by code unit, independent of the locale. `fromEntries` supports a file
 * named `__proto__`.
 */
function sortedRecord(
  map: ReadonlyMap<string, string>,
): Record<string, string> {
  return Object.fromEntries([...map].sort(([a], [b]) => byText(a, b)));
}

function isSources(value: unknown): value is ManifestSource[] {
  const isSource = (entry: unknown): boolean =>
    isRecord(entry) &&
    ["revision", "name", "sha256"].every(
      (name) => typeof entry[name] === "string",
    );
  return Array.isArray(value) && value.every(isSource);
}

function isOptions(value: unknown): value is ManifestOptions {
  if (!isRecord(value) || !isTexts(value["emit"])) return false;
  const { runtime, importExtension, templates } = value;
  const digests = [templates, ...optional.map((name) => value[name] ?? null)];
  return (
    isTexts([runtime, importExtension]) &&
    isTexts(digests.filter((digest) => digest !== null))
  );
}

function isDigests(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && isTexts(Object.values(value));
}

function isTexts(value: unknown): value is string[] {
  return (
    Array.isArray(value) && value.every((text) => typeof text === "string")
  );
}
