import { type Code, code } from "./code.js";

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
  readonly legacyModule: Code;
  readonly modernModule: Code;
}

export function modulesOf(layout: { single: boolean; vendored: boolean; extension: string }): Modules {
  const ext = layout.extension === ".js" ? code`.js` : layout.extension === ".ts" ? code`.ts` : code``;
  const folder = layout.single ? code`.` : code`..`;
  const bare = code`${folder}/validate`;
  const entry = (name: Code): Code => code`${folder}/runtime/${name}${ext}`;
  return {
    ext,
    core: code`${bare}${ext}`,
    coreBare: bare,
    checksModule: code`${folder}/checks${ext}`,
    tables: code`${folder}/tables${ext}`,
    runtime: layout.vendored ? entry(code`index`) : code`@mcpgen/runtime`,
    legacyModule: layout.vendored ? entry(code`legacy`) : code`@mcpgen/runtime/legacy`,
    modernModule: layout.vendored ? entry(code`modern`) : code`@mcpgen/runtime/modern`,
  };
}
