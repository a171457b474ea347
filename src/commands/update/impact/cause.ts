import { posix } from "node:path";
import {
  type Change,
  type ComparedFolder,
  type Explanation,
  nameIn,
} from "./changes.js";
import { isBreaking } from "../../../generator/ir/report/render.js";
import type { Compiler } from "../../../cli/compile/compiler.js";
import type { Overlay } from "./overlay.js";
import {
  type LocatedError,
  nodeOf,
  type Programs,
  textOf,
} from "./programs.js";
import { quote } from "./sentences.js";

/**
 * Finds the change that some texts are about. Each text, in turn, leaves of the
 * changes those that share most words with it, if any do. Null if no change
 * shares a word.
 */
export type FindLikelyChange = (...texts: readonly string[]) => Change | null;

export function causesIn(
  compared: readonly ComparedFolder[],
): FindLikelyChange {
  const all = compared
    .flatMap(({ changes }) => changes)
    .filter(
      ({ difference, rename }) =>
        difference.change !== "optional-member-added" || rename !== null,
    )
    .sort((a, b) => usesOf(b) - usesOf(a))
    .map((change) => ({ change, words: wordsOf(change) }));
  /** A word, and the names behind a generated name: the type of a guard. */
  const namesOf = (word: string): readonly string[] => [
    word,
    ...compared.flatMap(({ vocabulary, newName }) =>
      [...vocabulary(word, ""), ...vocabulary("", word)].flatMap(
        ({ kind, name }) => (kind === "entry" ? [] : [name, newName(name)]),
      ),
    ),
  ];
  return (...texts) => {
    let rest = all;
    for (const text of texts) {
      const names = [...new Set(wordsIn(text).flatMap(namesOf))];
      const shared = rest.map(
        ({ words }) => names.filter((name) => words.has(name)).length,
      );
      const most = Math.max(1, ...shared);
      const sharing = rest.filter((_, i) => shared[i] === most);
      if (sharing.length > 0) rest = sharing;
    }
    return rest === all ? null : (rest[0]?.change ?? null);
  };
}

/**
 * The words of a change. Of a member or a value, the first one; the text of a
 * whole type has too many.
 */
function wordsOf({ difference }: Change): ReadonlySet<string> {
  const { subject, path, before, after } = difference;
  const [old = ""] = wordsIn(before ?? "");
  const [now = ""] = wordsIn(after ?? "");
  return new Set(wordsIn([subject.name, nameIn(path), old, now].join(" ")));
}

/** TypeScript's own types, and a member that most messages have. */
const commonWords =
  /^(any|boolean|null|number|object|params|string|type|undefined|unknown)$/;

/** Names, methods and numbers in a text. */
function wordsIn(text: string): readonly string[] {
  return (text.match(/[\w$]+(?:\/[\w$]+)*|-?\d+/g) ?? []).filter(
    (word) => !commonWords.test(word),
  );
}

/**
 * Of two changes with the same words, one that breaks a peer, or says what to
 * do, explains an error better.
 */
const usesOf = ({ difference, advice, rename }: Change): number =>
  Number(isBreaking(difference)) + Number(advice !== null || rename !== null);

/**
 * What an error is about, the surest text first: what it points to, the names
 * in its message, its line, and the types in its message.
 */
export function cluesOf(
  compiler: Compiler,
  error: LocatedError,
): readonly string[] {
  const { file, start, length, relatedInformation = [] } = error;
  const message = [error, ...relatedInformation]
    .map((entry) => textOf(compiler, entry))
    .join(" ");
  const quoted = [...message.matchAll(/'([^']*)'/g)].map(
    ([, text = ""]) => text,
  );
  const isName = (text: string): boolean => /^\W?[\w$]+\W?$/.test(text);
  const [from = 0, to] = file
    .getLineStarts()
    .slice(file.getLineAndCharacterOfPosition(start).line);
  const [named = ""] = file.text.slice(start, start + length).split("\n");
  return [
    named,
    ...quoted.filter(isName),
    file.text.slice(from, to),
    ...quoted.filter((text) => !isName(text)),
  ];
}

/**
 * The file behind an import that is no longer generated, such as one of a
 * replaced revision; null for other errors.
 */
export function replacedFile(
  { compiler, before, base }: Programs,
  overlay: Overlay,
  error: LocatedError,
): Explanation | null {
  const module = before
    .getTypeChecker()
    .getSymbolAtLocation(nodeOf(compiler, error))?.valueDeclaration;
  const old = module?.getSourceFile().fileName ?? "";
  const generated = overlay.generated(old);
  if (generated === null || overlay.textOf(old) !== null) return null;
  const { path, compared } = generated;
  const { files } = compared.folder;
  const out = compared.folder.out.replaceAll("\\", "/");
  // A revision that takes the place of another one has a file of the same name.
  const isNew = (other: string): boolean =>
    files.get(other) !== null &&
    before.getSourceFile(`${out}/${other}`) === undefined;
  const [only, ...others] = [...files.keys()].filter(
    (other) => posix.basename(other) === posix.basename(path) && isNew(other),
  );
  const isClear = only !== undefined && others.length === 0;
  return {
    sentence: `${quote(posix.relative(base, old))} is no longer generated`,
    rename: null,
    advice: isClear
      ? `import ${quote(posix.relative(base, `${out}/${only}`))} instead`
      : null,
  };
}
