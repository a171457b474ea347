import type { Diagnostics } from "../diagnostics.js";
import type { Protocol } from "../ir/model.js";
import { bundledExtensions, type Loaded } from "../read/load.js";
import { nearest } from "../read/nearest.js";
import { Fault, usageFault } from "./fault.js";
import { loadOrThrow, shownName } from "./source.js";

/** An extension's schema that was found and loaded, but not yet read. */
export interface ExtensionSource {
  readonly loaded: Loaded;
  /** What the generated files call it. */
  readonly name: string;
}

/** The extensions that `--extension` asks for: a bundled one by its name, or any by its path, with commas between. */
export async function namedExtensions(text: string | null): Promise<ExtensionSource[]> {
  const words = (text ?? "").split(",").map((word) => word.trim());
  return await Promise.all([...new Set(words.filter((word) => word !== ""))].map(namedExtension));
}

async function namedExtension(word: string): Promise<ExtensionSource> {
  if (/[/\\.]/.test(word)) {
    const loaded = await loadOrThrow(word);
    return { loaded, name: shownName(loaded) };
  }
  const known = await bundledExtensions();
  const found = known.find(({ name }) => name === word);
  if (found !== undefined) {
    return { loaded: await loadOrThrow(found.folder), name: `schema/extensions/${word}/schema.ts` };
  }
  const names = known.map(({ name }) => name);
  const near = nearest(word, names);
  throw usageFault(
    "MG712",
    `there is no extension "${word}"`,
    near === null ? `bundled are ${names.join(", ")}; a path has a dot or a slash` : `did you mean ${near}?`,
  );
}

/** Each protocol with the extensions that fit it. Throws for one that fits none, and for every fault of all of them. */
export async function extendAll(
  protocols: readonly Protocol[],
  extensions: readonly ExtensionSource[],
  diagnostics: Diagnostics,
): Promise<Protocol[]> {
  if (extensions.length === 0) return [...protocols];
  const { extend, fits, readExtension } = await import("../read/index.js");
  let extended: Protocol[] = [...protocols];
  for (const { loaded, name } of extensions) {
    const schema = await readExtension(loaded.text, { file: loaded.file, name }, diagnostics);
    if (schema === null) continue;
    const read = { ...schema, source: { ...schema.source, sha256: loaded.sha256 } };
    if (!extended.some((protocol) => fits(protocol, read))) {
      const names = protocols.map(({ revision }) => revision).join(", ");
      diagnostics.root.error(
        "MG120",
        { file: loaded.file, line: 1, column: 1 },
        `the extension "${read.id}" imports types that revision ${names} does not have`,
        "ask for a revision that it was made for",
      );
      continue;
    }
    extended = extended.map((protocol) =>
      fits(protocol, read) ? (extend(protocol, read, diagnostics) ?? protocol) : protocol,
    );
  }
  if (diagnostics.hasErrors) throw new Fault(diagnostics.list);
  return extended;
}
