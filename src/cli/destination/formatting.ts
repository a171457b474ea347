import { join } from "node:path";
import { sha256 } from "../../emit/write.js";
import { usageError } from "../command-error.js";
import type { Context } from "../context.js";
import { parseJsonc } from "./jsonc.js";
import { readText, upwards } from "./find.js";

/** The formatting rules of a project. */
export interface OwnFormatting {
  /** The folder of the Prettier configuration and its ignore files. */
  readonly folder: string;
  /** Changes with the rules. */
  readonly digest: string;
}

const EXTENSIONS = ["json", "yml", "yaml", "json5", "js", "mjs", "cjs", "ts", "mts", "cts", "toml"];
const SCRIPTS = ["js", "mjs", "cjs", "ts", "mts", "cts"];
const NAMES = [
  ".prettierrc",
  ...EXTENSIONS.map((extension) => `.prettierrc.${extension}`),
  ...SCRIPTS.map((extension) => `prettier.config.${extension}`),
];
const IGNORE_FILES = [".prettierignore", ".gitignore"];

/** Finds a Prettier configuration as Prettier does, from the directory upwards, without loading Prettier. */
export async function findFormatting(out: string): Promise<OwnFormatting | null> {
  const editorConfigs: string[] = [];
  for (const folder of upwards(out)) {
    editorConfigs.push((await readText(join(folder, ".editorconfig"))) ?? "");
    const config = await configIn(folder);
    if (config === null) continue;
    const ignoreFiles = await Promise.all(IGNORE_FILES.map((name) => readText(join(folder, name))));
    return { folder, digest: sha256(JSON.stringify([config, editorConfigs, ignoreFiles])) };
  }
  return null;
}

async function configIn(folder: string): Promise<string | null> {
  const manifest = parseJsonc((await readText(join(folder, "package.json"))) ?? "");
  if (typeof manifest === "object" && manifest !== null && "prettier" in manifest) {
    return JSON.stringify(manifest.prettier);
  }
  const texts = await Promise.all(NAMES.map((name) => readText(join(folder, name))));
  return texts.find((text) => text !== null) ?? null;
}

/** A function that formats files for a folder and shows its progress. */
export function formatterFor(out: string, own: OwnFormatting | null, { status }: Pick<Context, "status">) {
  return async <File extends GeneratedText>(files: readonly File[]): Promise<File[]> => {
    let done = 0;
    return await formatFiles(out, files, own, () => {
      done += 1;
      status(`formatting ${done} of ${files.length} files`);
    });
  };
}

interface GeneratedText {
  readonly path: string;
  readonly text: string;
}

/** Formats texts with the destination's Prettier rules, or with Prettier's defaults. */
async function formatFiles<File extends GeneratedText>(
  out: string,
  files: readonly File[],
  own: OwnFormatting | null,
  onFile: () => void,
): Promise<File[]> {
  const { format, getFileInfo, resolveConfig } = await import("prettier");
  const formatOne = async (file: File): Promise<File> => {
    const full = join(out, file.path);
    const ignorePath = own === null ? [] : IGNORE_FILES.map((name) => join(own.folder, name));
    const { ignored, inferredParser } = await getFileInfo(full, { ignorePath, resolveConfig: false });
    if (ignored || inferredParser === null) return file;
    const config = own === null ? null : await resolveConfig(full, { editorconfig: true });
    // Generated files always end lines with LF, regardless of an .editorconfig.
    return { ...file, text: await format(file.text, { ...config, filepath: full, endOfLine: "lf" }) };
  };
  const hint =
    own === null ? "fix the template" : `fix the Prettier configuration in ${own.folder}, or the template`;
  return await Promise.all(
    files.map((file) =>
      formatOne(file)
        .finally(onFile)
        .catch((error: unknown) => {
          const reason = error instanceof Error ? error.message : String(error);
          throw usageError("MG710", `the generated ${file.path} cannot be formatted: ${reason}`, hint);
        }),
    ),
  );
}
