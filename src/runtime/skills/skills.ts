import { rpcError } from "../core/errors.js";
import type { JsonObject } from "../../common/object.js";
import { report } from "../core/report.js";
import type { Settings } from "../core/session/config.js";
import type { SideTable } from "../core/tables.js";
import { normalizeUri } from "../core/session/uri.js";
import type { Feature, Provided } from "../core/ports/feature.js";
import {
  type FeatureContext,
  type Features,
  type FeaturesFor,
  onceForEach,
  pageOf,
  type Source,
  type SourceFunction,
} from "../features/feature.js";
import { type Resource, resourcesOf } from "../features/resources.js";
import { type SkillEntry, digestOf, excessOf } from "./entry.js";
import {
  checkYaml,
  fieldFault,
  type Frontmatter,
  readFrontmatter,
} from "./frontmatter.js";
import {
  childrenOf,
  entryFile,
  folderOf,
  isInside,
  isSkillName,
  mimeTypeOf,
} from "./uri.js";
import type { Bytes } from "../../common/base64.js";
import type { Awaitable } from "../../common/timing.js";

/**
 * A skill with all of its files, by their paths in its folder, `SKILL.md` too.
 */
export interface StaticSkill {
  /**
   * The path of its folder, such as `billing/refunds`. Its last segment is the
   * name of the skill.
   */
  readonly path: string;
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  readonly dynamic?: undefined;
}

/**
 * A skill whose files are generated when they are read. A client cannot check
 * them, and may refuse the skill.
 */
export interface DynamicSkill<Context = FeatureContext> {
  /**
   * The path of its folder, such as `reports/daily`. Its last segment is the
   * name of the skill.
   */
  readonly path: string;
  readonly dynamic: true;
  /**
   * Returns a file by its path in the folder, `SKILL.md` too; undefined or null
   * if it does not exist.
   */
  read(
    file: string,
    context: Context,
  ): Awaitable<string | Uint8Array | null | undefined>;
  /**
   * Returns the paths of the files, for clients that list folders. Without it
   * they find only `SKILL.md`.
   */
  list?(context: Context): Awaitable<readonly string[]>;
  readonly files?: undefined;
}

/** A folder with a `SKILL.md`. */
export type SkillFolder<Context = FeatureContext> =
  StaticSkill | DynamicSkill<Context>;

/** A file as it is sent: text if its bytes are UTF-8, and else bytes. */
interface ServedFile {
  readonly uri: string;
  readonly mimeType: string;
  readonly size: number;
  readonly content: string | Bytes;
  readonly digest: () => Promise<string>;
}

/** A skill of a server. */
interface ServedSkill {
  /** The URI of its folder. */
  readonly folder: string;
  /**
   * Its files, those of skills inside it too; undefined if they are generated.
   */
  readonly files: ReadonlyMap<string, ServedFile> | undefined;
  readonly generated: DynamicSkill | undefined;
  /** Rejects with a TypeError if its `SKILL.md` is not valid. */
  entry(context: FeatureContext): Promise<SkillEntry>;
}

/**
 * Prepares skills for a server. A skill inside another one is a skill of its
 * own, and its files are files of the other one too.
 *
 * @throws TypeError for a path or a file that clients would refuse, and for a
 *   skill that is too large.
 */
function prepareSkills(
  skills: readonly SkillFolder[],
  prefix: string | undefined,
): ServedSkill[] {
  const files = new Map<string, ServedFile>();
  const addFile = (
    folder: string,
    path: string,
    value: string | Uint8Array,
  ): void => {
    const uri = uriOf(folder, path);
    if (!isInside(uri, folder))
      throw new TypeError(
        `${folder}: ${JSON.stringify(path)} is not the path of a file in a folder.`,
      );
    const bytes =
      typeof value === "string"
        ? new TextEncoder().encode(value)
        : Uint8Array.from(value);
    const existing = files.get(uri)?.content;
    const content = contentOf(bytes);
    if (existing !== undefined && String(existing) !== String(content))
      throw new TypeError(
        `${uri} has another content in a skill inside that skill.`,
      );
    let digest: Promise<string> | undefined;
    files.set(uri, {
      uri,
      mimeType: mimeTypeOf(path, content),
      size: bytes.length,
      content,
      digest: () => (digest ??= digestOf(bytes)),
    });
  };
  const all = skills.map((skill) => {
    const folder = `skill://${pathOf(skill, prefix)}`;
    for (const [path, content] of Object.entries(skill.files ?? {}))
      addFile(folder, path, content);
    return { skill, folder };
  });
  return all.map((own): ServedSkill => {
    const { skill, folder } = own;
    const other = all.find(
      (one) => one !== own && `${one.folder}/`.startsWith(`${folder}/`),
    );
    if (
      other &&
      (other.folder === folder || (!skill.dynamic && other.skill.dynamic))
    )
      throw new TypeError(
        `The skill ${skill.path}: ${other.folder} cannot be inside ${folder}.`,
      );
    return skill.dynamic
      ? generatedSkill(skill, folder)
      : staticSkill(skill, folder, files);
  });
}

function pathOf({ path }: SkillFolder, prefix: string | undefined): string {
  const whole = prefix === undefined ? path : `${prefix}/${path}`;
  const segments = whole.split("/");
  if (
    isSkillName(segments.at(-1)) &&
    segments.every((one) => /^[\w~-][\w.~-]*$/.test(one))
  )
    return whole;
  throw new TypeError(
    `The skill ${JSON.stringify(whole)}: expected folders of letters, digits, ".", "_", "~" and "-", the last one the name of the skill, of a-z, 0-9 and single "-".`,
  );
}

/** The URI of a file. */
const uriOf = (folder: string, path: string): string =>
  `${folder}/${path.split("/").map(encodeURIComponent).join("/")}`;

/**
 * The text of bytes that are UTF-8, with its byte order mark; other bytes as
 * they are.
 */
function contentOf(bytes: Bytes): string | Bytes {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      bytes,
    );
  } catch {
    return bytes;
  }
}

function staticSkill(
  { path }: StaticSkill,
  folder: string,
  all: ReadonlyMap<string, ServedFile>,
): ServedSkill {
  const files = new Map(
    [...all].filter(([uri]) => uri.startsWith(`${folder}/`)),
  );
  const excess = excessOf([...files.values()].map(({ size }) => size));
  if (excess !== undefined) throw new TypeError(`The skill ${path} ${excess}.`);
  const text = files.get(`${folder}/${entryFile}`)?.content;
  if (typeof text !== "string")
    throw new TypeError(
      `The skill ${path}: expected a file ${entryFile} in UTF-8.`,
    );
  const load = async (): Promise<SkillEntry> => {
    const resources = [...files.values()].map(
      async ({ uri, size, digest }) => ({
        uri,
        digest: await digest(),
        size,
      }),
    );
    return {
      ...(await frontOf(path, folder, text)),
      resources: await Promise.all(resources),
    };
  };
  let entry: Promise<SkillEntry> | undefined;
  return {
    folder,
    files,
    generated: undefined,
    entry: () => (entry ??= load()),
  };
}

function generatedSkill(skill: DynamicSkill, folder: string): ServedSkill {
  const load = async (context: FeatureContext): Promise<SkillEntry> => {
    const value = (await skill.read(entryFile, context)) ?? undefined;
    const text =
      value instanceof Uint8Array ? contentOf(Uint8Array.from(value)) : value;
    if (typeof text !== "string")
      throw new TypeError(
        `The skill ${skill.path}: expected a file ${entryFile} in UTF-8.`,
      );
    return {
      ...(await frontOf(skill.path, folder, text)),
      resources: "dynamic",
    };
  };
  return { folder, files: undefined, generated: skill, entry: load };
}

/** The URI and the frontmatter of a skill. */
async function frontOf(path: string, folder: string, text: string) {
  const invalid = (why: string, cause?: unknown): TypeError =>
    new TypeError(`The skill ${path}: ${entryFile}: ${why}`, { cause });
  const { frontmatter } = await readFrontmatter(text).catch(
    (cause: unknown) => {
      throw cause instanceof TypeError ? invalid(cause.message, cause) : cause;
    },
  );
  const fault = fieldFault(frontmatter, folder);
  if (fault !== undefined) throw invalid(`${fault}.`);
  return {
    uri: `${folder}/${entryFile}`,
    frontmatter: frontmatter as Frontmatter,
  };
}

/** Options of `skills`. */
export interface SkillOptions {
  /**
   * Folders before the path of each skill: with `acme`, the skill `refunds` is
   * `skill://acme/refunds/SKILL.md`.
   */
  readonly prefix?: string | undefined;
  /**
   * False if the skills are not listed: a client loads one by its URI. True by
   * default.
   */
  readonly list?: boolean | undefined;
  /** Maximum number of skills on one page of the list; 100 by default. */
  readonly pageSize?: number | undefined;
  /**
   * How long clients may keep the list and the entries, in milliseconds; 0 by
   * default.
   */
  readonly ttlMs?: number | undefined;
  /**
   * `public` if all callers get the same skills, so that a shared cache may
   * keep them; `private` by default.
   */
  readonly cacheScope?: "public" | "private" | undefined;
}

/**
 * The skills for one request, with their entries, and the errors of those that
 * are left out.
 */
interface Shelf {
  readonly skills: readonly (ServedSkill & { readonly own: SkillEntry })[];
  readonly errors: readonly unknown[];
}

interface SkillSet extends Feature {
  readonly options: SkillOptions;
  /**
   * The same for every request; undefined if a function returns the skills, or
   * some of them are generated.
   */
  readonly fixed: Promise<Shelf> | undefined;
  readonly shelf: (context: FeatureContext) => Promise<Shelf>;
}

/**
 * Serves skills: folders with a `SKILL.md`, whose files are resources. Spread
 * it into the handlers of a server: `{ ...skills(folder("./skills")) }` with
 * `folder` of `@mcpgen/runtime/skills/node`, or with a list of skills. With a
 * function that returns the list, the skills may change; its author sends the
 * notifications. A skill whose `SKILL.md` is invalid is reported to `onError`
 * and left out. In a revision that was generated without the extension, the
 * files are resources only. Specification: Skills extension.
 *
 * @throws TypeError for a path or a file that clients would refuse, and for a
 *   skill that is too large; Error if the package yaml is not installed.
 */
export function skills<Context extends FeatureContext = FeatureContext>(
  list:
    | readonly SkillFolder<NoInfer<Context>>[]
    | SourceFunction<SkillFolder<NoInfer<Context>>, NoInfer<Context>>,
  options?: SkillOptions,
): FeaturesFor<Context>;
export function skills(
  source: Source<SkillFolder>,
  options: SkillOptions = {},
): Features {
  checkYaml("skills");
  const prepare = onceForEach((list: readonly SkillFolder[]) =>
    prepareSkills(list, options.prefix),
  );
  const isFixed =
    typeof source !== "function" && source.every(({ dynamic }) => !dynamic);
  const list = typeof source === "function" ? undefined : prepare(source);
  const shelf = async (context: FeatureContext): Promise<Shelf> =>
    shelfOf(
      list ?? prepare(await (source as SourceFunction<SkillFolder>)(context)),
      context,
    );
  // Static skills need no context.
  const fixed = isFixed ? shelf({} as FeatureContext) : undefined;
  const set: SkillSet = {
    provide,
    options,
    fixed,
    shelf: (context) => fixed ?? shelf(context),
  };
  const filesOf = async (
    loaded: Promise<Shelf>,
  ): Promise<readonly Resource[]> => fileResources(await loaded, options);
  return {
    ...resourcesOf(
      fixed
        ? filesOf(fixed)
        : (context: FeatureContext) => filesOf(shelf(context)),
    ),
    [Symbol("skills")]: set,
  };
}

async function shelfOf(
  served: readonly ServedSkill[],
  context: FeatureContext,
): Promise<Shelf> {
  const results = await Promise.allSettled(
    served.map((skill) => skill.entry(context)),
  );
  return {
    skills: served.flatMap((skill, i) => {
      const result = results[i];
      return result?.status === "fulfilled"
        ? [{ ...skill, own: result.value }]
        : [];
    }),
    errors: results.flatMap((result) =>
      result.status === "rejected" ? [result.reason as unknown] : [],
    ),
  };
}

/**
 * The files of skills as resources. Only the `SKILL.md` of a listed skill is in
 * the list of resources.
 */
function fileResources(
  { skills }: Shelf,
  { list = true }: SkillOptions,
): Resource[] {
  const entries = new Map(skills.map(({ own }) => [own.uri, own]));
  const files = new Map(skills.flatMap(({ files = [] }) => [...files]));
  const fixed = [...files.values()].map((file): Resource => {
    const entry = entries.get(file.uri);
    return {
      read: () => file.content,
      ...listingOf(file, entry),
      unlisted: !list || !entry,
    };
  });
  const generated = skills.flatMap(
    ({ folder, generated: skill }): Resource[] =>
      skill === undefined
        ? []
        : [
            {
              uriTemplate: `${folder}/{+file}`,
              name: folder,
              unlisted: true,
              async read(
                { file = "" }: Readonly<Record<string, string>>,
                uri,
                context,
              ) {
                const value = await skill.read(file, context);
                const content =
                  value instanceof Uint8Array
                    ? contentOf(Uint8Array.from(value))
                    : value;
                if (typeof content !== "string") return content;
                return {
                  contents: [
                    { uri, mimeType: mimeTypeOf(file, content), text: content },
                  ],
                };
              },
            },
          ],
  );
  return [...fixed, ...generated];
}

/** A file in a list of resources. */
function listingOf(
  { uri, mimeType, size }: ServedFile,
  entry: SkillEntry | undefined,
) {
  const {
    name = decodeURIComponent(uri.slice(uri.lastIndexOf("/") + 1)),
    description,
  } = entry?.frontmatter ?? {};
  return {
    uri,
    name,
    ...(description !== undefined && { description }),
    mimeType,
    size,
  };
}

/**
 * Errors that were reported: a skill that does not change has the same one for
 * each revision and each request.
 */
const reported = /* @__PURE__ */ new WeakSet<object>();

function provide(
  features: readonly Feature[],
  side: SideTable,
  settings: Settings,
): Provided {
  const { listSkills, getSkill, readDirectory = "" } = side.revision.wellKnown;
  if (listSkills === undefined || getSkill === undefined)
    return { handlers: {} };
  const sets = features.filter(
    (feature): feature is SkillSet => feature.provide === provide,
  );
  const settle = (shelf: Promise<Shelf>): Promise<Shelf["skills"]> =>
    validIn(shelf, settings);
  for (const { fixed } of sets) if (fixed) void settle(fixed);
  const find = async (
    context: FeatureContext,
    matches: (skill: ServedSkill) => boolean,
  ): Promise<Found | undefined> => {
    for (const { shelf, options } of sets) {
      const skill = (await settle(shelf(context))).find(matches);
      if (skill) return [skill, options];
    }
    return undefined;
  };
  return {
    handlers: {
      async [listSkills](params: unknown, context: FeatureContext) {
        const listed = sets.filter(({ options }) => options.list !== false);
        const all = await Promise.all(
          listed.map(({ shelf }) => settle(shelf(context))),
        );
        const entries = new Map(all.flat().map(({ own }) => [own.uri, own]));
        const { pageSize = 100 } = sets[0]?.options ?? {};
        const options = { pageSize };
        const page = await pageOf(side, listSkills, entries, params, options);
        return { ...page, ...hintsOf(sets.map(({ options }) => options)) };
      },
      async [getSkill](
        { uri }: { readonly uri: string },
        context: FeatureContext,
      ) {
        const folder = folderOf(normalizeUri(uri));
        const [skill, options] =
          (await find(context, (one) => one.folder === folder)) ?? [];
        if (!skill || !options) throw unknown("skill", uri);
        return { skill: skill.own, ...hintsOf([options]) };
      },
      async [readDirectory](params: JsonObject, context: FeatureContext) {
        const uri = normalizeUri(String(params["uri"]));
        const [skill] =
          (await find(context, ({ folder }) =>
            `${uri}/`.startsWith(`${folder}/`),
          )) ?? [];
        const children = skill ? await directoryOf(skill, uri, context) : [];
        if (children.length === 0) throw unknown("folder", uri);
        return pageOf(
          side,
          readDirectory,
          new Map(children.map((child) => [child.uri, child])),
          params,
        );
      },
    },
    capabilities: capabilitiesIn(side),
  };
}

/** A skill, and the options of the list that has it. */
type Found = readonly [Shelf["skills"][number], SkillOptions];

function capabilitiesIn({ extensions }: SideTable): JsonObject {
  const id = extensions?.skills;
  return {
    extensions: id === undefined ? {} : { [id]: { directoryRead: true } },
  };
}

/** The skills of a shelf. Reports why others are left out. */
async function validIn(
  shelf: Promise<Shelf>,
  settings: Settings,
): Promise<Shelf["skills"]> {
  const { skills, errors } = await shelf;
  for (const error of errors) {
    if (reported.has(Object(error))) continue;
    reported.add(Object(error));
    report(settings, error, "skills");
  }
  return skills;
}

const unknown = (what: string, uri: string): Error =>
  rpcError("INVALID_PARAMS", `There is no ${what} ${uri}.`, { uri });

/**
 * For how long, and for whom, a result with the skills of these sets may be
 * kept.
 */
const hintsOf = (all: readonly SkillOptions[]): JsonObject => ({
  ttlMs: Math.min(...all.map(({ ttlMs = 0 }) => ttlMs)),
  cacheScope: all.every(({ cacheScope }) => cacheScope === "public")
    ? "public"
    : "private",
});

/** What is directly in a folder of a skill, as resources. */
async function directoryOf(
  { folder, files, generated, own }: Shelf["skills"][number],
  uri: string,
  context: FeatureContext,
): Promise<readonly { readonly uri: string }[]> {
  const paths = generated
    ? ((await generated.list?.(context)) ?? [entryFile])
    : [];
  const uris = files?.keys() ?? paths.map((path) => uriOf(folder, path));
  return childrenOf(uris, uri).map((child) => {
    const { name } = child;
    if (child.isDirectory)
      return { uri: child.uri, name, mimeType: "inode/directory" };
    const file = files?.get(child.uri);
    return file
      ? listingOf(file, file.uri === own.uri ? own : undefined)
      : { uri: child.uri, name };
  });
}
