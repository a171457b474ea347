import { type Code, code, importPath } from "./code.js";

/** The import paths of the files of a revision, without quotes. */
export interface Modules {
  /** The extension of relative imports. */
  readonly ext: Code;
  /** The core of the validators, with and without its extension. */
  readonly core: Code;
  readonly coreBare: Code;
  /** The checks that only some schemas need. */
  readonly checksModule: Code;
  /** The types of the tables. */
  readonly tables: Code;
  readonly runtime: Code;
  readonly features: Code;
  readonly stdio: Code;
  readonly legacyModule: Code;
  readonly modernModule: Code;
}

/** Where the files of a revision find what they share with others. */
interface Layout {
  /**
   * The folder of `validate.ts`, `checks.ts` and `tables.ts`, relative to the
   * files.
   */
  readonly support: string;
  /**
   * The folder of the copy of the runtime, relative to the files; without one,
   * they import the package.
   */
  readonly runtime?: string | undefined;
  /** The extension of relative imports: ".js", ".ts" or nothing. */
  readonly extension: string;
}

export function modulesOf({ support, runtime, extension }: Layout): Modules {
  const ext =
    extension === ".js" ? code`.js` : extension === ".ts" ? code`.ts` : code``;
  const folder = importPath(support);
  const bare = code`${folder}/validate`;
  const entry = (name: Code, packageEntry: Code): Code =>
    runtime === undefined
      ? packageEntry
      : code`${importPath(runtime)}/${name}${ext}`;
  return {
    ext,
    core: code`${bare}${ext}`,
    coreBare: bare,
    checksModule: code`${folder}/checks${ext}`,
    tables: code`${folder}/tables${ext}`,
    runtime: entry(code`index`, code`@mcpgen/runtime`),
    features: entry(code`features`, code`@mcpgen/runtime/features`),
    stdio: entry(code`stdio`, code`@mcpgen/runtime/stdio`),
    legacyModule: entry(code`legacy`, code`@mcpgen/runtime/legacy`),
    modernModule: entry(code`modern`, code`@mcpgen/runtime/modern`),
  };
}
