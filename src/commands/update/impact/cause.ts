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

/** Texts, and how much a word of each counts. */
type Clue = readonly [text: string, weight: number];

/**
 * Finds the change that shares most words with some texts. A word that few
 * changes have counts more. Null if no change shares a word.
 */
export type FindLikelyChange = (...clues: readonly Clue[]) => Change | null;

export function causesIn(
  compared: readonly ComparedFolder[],
): FindLikelyChange {
  const byWord = new Map<string, Change[]>();
  for (const change of compared.flatMap(({ changes }) => changes)) {
    if (
      change.difference.change === "optional-member-added" &&
      change.rename === null
    )
      continue;
    const { subject, path, before, after } = change.difference;
    // Of a member or a value, the first word; the text of a whole type has too
    // many.
    const words = [
      subject.name,
      nameIn(path),
      ...[before, after].map((text) => wordsIn(text ?? "")[0] ?? ""),
    ];
    for (const word of new Set(wordsIn(words.join(" "))))
      byWord.set(word, [...(byWord.get(word) ?? []), change]);
  }
  return (...clues) => {
    const words = new Map<string, number>();
    for (const [text, weight] of clues) {
      for (const word of wordsIn(text)) {
        // The names behind a generated name, such as the type of a guard.
        const names = compared.flatMap(({ vocabulary, newName }) =>
          [...vocabulary(word, ""), ...vocabulary("", word)].flatMap(
            ({ kind, name }) => (kind === "entry" ? [] : [name, newName(name)]),
          ),
        );
        for (const each of [word, ...names])
          words.set(each, Math.max(words.get(each) ?? 0, weight));
      }
    }
    const scores = new Map<Change, number>();
    for (const [word, weight] of words) {
      const changes = byWord.get(word) ?? [];
      for (const change of changes)
        scores.set(
          change,
          (scores.get(change) ?? bonusOf(change)) +
            weight / Math.sqrt(changes.length),
        );
    }
    const [best] = [...scores].sort(([, a], [, b]) => b - a);
    return best?.[0] ?? null;
  };
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
function bonusOf({ difference, advice, rename }: Change): number {
  return (
    (Number(isBreaking(difference)) +
      Number(advice !== null || rename !== null)) /
    100
  );
}

/** What an error says, what it points to, and its line. */
export function cluesOf(
  compiler: Compiler,
  error: LocatedError,
): readonly Clue[] {
  const { file, start, length, code, relatedInformation = [] } = error;
  const texts = [error, ...relatedInformation]
    .map((entry) => textOf(compiler, entry))
    .join(" ");
  // An implicit `any` follows from another error of the line.
  const weight = code >= 7000 && code < 7100 ? 0.5 : 6;
  const clues = [...texts.matchAll(/'([^']*)'/g)].map(
    ([, quoted = ""], order): Clue => {
      // What a message names first is what it is about.
      return [
        quoted,
        !/^\W?[\w$]+\W?$/.test(quoted)
          ? 0.5
          : order === 0
            ? 3 * weight
            : weight,
      ];
    },
  );
  const [from = 0, to] = file
    .getLineStarts()
    .slice(file.getLineAndCharacterOfPosition(start).line);
  const [named = ""] = file.text.slice(start, start + length).split("\n");
  return [...clues, [named, 2 * weight], [file.text.slice(from, to), 2]];
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
