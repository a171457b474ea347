import { finished } from "../finished.js";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  Diagnostics,
  type Diagnostic,
} from "../../src/generator/diagnostics.js";
import { generateStubs, type StubsOptions } from "../../src/generator/stubs.js";
import { stubParts } from "../../src/generator/stubs/parts.js";
import type { Protocol } from "../../src/generator/ir/model.js";
import type { Snapshot } from "../../src/generator/ir/snapshot/model.js";
import { revision } from "../read/typescript/reading.js";
import { snapshotIn } from "../../src/generator/inputs/snapshots.js";
import { generated, templates } from "../view/generated.js";

const fixtures = new URL("../fixtures/snapshots/", import.meta.url);

/** The text of a snapshot in the fixtures. */
export function fixture(name: string): string {
  return readFileSync(
    fileURLToPath(new URL(`${name}.mcp.json`, fixtures)),
    "utf8",
  );
}

/**
 * The server of the fixture, which also declares completions and subscriptions.
 */
export function busyWeather(): string {
  const snapshot = JSON.parse(fixture("weather")) as object;
  const capabilities = {
    completions: {},
    prompts: {},
    resources: { subscribe: true },
    tools: {},
  };
  return JSON.stringify({ ...snapshot, capabilities });
}

/** The text of a snapshot with these members. */
export function snapshotOf(members: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({
    format: 1,
    revision: "2025-11-25",
    server: { name: "made", version: "1.0.0" },
    capabilities: {},
    ...members,
  });
}

export interface Read {
  readonly snapshot: Snapshot | null;
  readonly reports: readonly Diagnostic[];
}

export async function readText(text: string): Promise<Read> {
  const diagnostics = new Diagnostics();
  const snapshot = await snapshotIn(
    { text, file: "made.mcp.json", name: "made.mcp.json", says: "each" },
    diagnostics,
  );
  return { snapshot, reports: finished(diagnostics.list) };
}

export { revision };

export interface Project {
  /** The generated files, by path. */
  readonly files: ReadonlyMap<string, string>;
  /** The handlers, which are written once. */
  readonly once: ReadonlyMap<string, string>;
  /** Both. */
  readonly all: ReadonlyMap<string, string>;
  readonly reports: readonly Diagnostic[];
}

/** Options of `generateStubs`; `protocol` is for a single revision. */
type ProjectOptions = Partial<StubsOptions> & { readonly protocol?: Protocol };

/**
 * A project that imports the whole revision, together with the revision's
 * files.
 */
export async function sharingProject(
  text: string,
  options: ProjectOptions = {},
): Promise<Project> {
  const sharedProtocol = {
    files: "./protocol",
    all: "./protocol",
    runtime: "./protocol/runtime",
    support: ["validate.ts"],
  };
  const ownFiles = await project(text, { ...options, sharedProtocol });
  const protocol =
    options.protocol ??
    (await revision((JSON.parse(text) as { revision: string }).revision));
  const whole = generated([protocol]).files;
  const all = new Map(ownFiles.all);
  for (const [path, content] of whole) all.set(`protocol/${path}`, content);
  return { ...ownFiles, all };
}

/**
 * Generates a project from a snapshot without the command line; by default all
 * parts.
 */
export async function project(
  text: string,
  { protocol, ...options }: ProjectOptions = {},
): Promise<Project> {
  const { snapshot, reports } = await readText(text);
  if (snapshot === null) throw new Error(JSON.stringify(reports));
  const diagnostics = new Diagnostics();
  const { revisions: named } = snapshot;
  const [newest, ...older] = Array.isArray(named) ? named : [snapshot.revision];
  const protocols = [
    protocol ?? (await revision(newest ?? "")),
    ...(await Promise.all(older.map(revision))),
  ] as const;
  const { files, once } = generateStubs(
    { snapshot, protocols, templates, emit: stubParts, ...options },
    diagnostics,
  );
  const texts = (list: typeof files): Map<string, string> =>
    new Map(list.map(({ path, text }) => [path, text]));
  return {
    files: texts(files),
    once: texts(once),
    all: texts([...files, ...once]),
    reports: [...reports, ...finished(diagnostics.list)],
  };
}
