import { posix } from "node:path";
import type { ts } from "ts-morph";
import { type Change, type ComparedFolder, nameIn } from "./changes.js";
import type { Compiler } from "./compiler.js";
import type { Overlay } from "./overlay.js";
import { type LocatedError, type Programs, textOf } from "./programs.js";
import { quote } from "./sentences.js";
import { nodeAt } from "./syntax.js";

/** Texts, and how much a word of each counts. */
type Clue = readonly [text: string, weight: number];

/**
 * Finds the change that shares most words with some texts. A word that few changes have counts more. Null if no change shares a
 * word.
 */
export type CauseOf = (clues: readonly Clue[]) => Change | null;

export function causesIn(compared: readonly ComparedFolder[]): CauseOf {
  const byWord = new Map<string, Change[]>();
  for (const change of compared.flatMap(({ changes }) => changes)) {
    if (change.difference.change === "optional-member-added" && change.rename === null) continue;
    const { subject, path, was, is } = change.difference;
    // Of a member or a value, the first word; the text of a whole type has too many.
    const words = [subject.name, nameIn(path), ...[was, is].map((text) => wordsIn(text ?? "")[0] ?? "")];
    for (const word of new Set(wordsIn(words.join(" "))))
      byWord.set(word, [...(byWord.get(word) ?? []), change]);
  }
  return (clues) => {
    const words = new Map<string, number>();
    for (const [text, weight] of clues) {
      for (const word of wordsIn(text)) {
        // The names behind a generated name, such as the type of a guard.
        const names = compared.flatMap(({ vocabulary, newName }) =>
          [...vocabulary(word, ""), ...vocabulary("", word)].flatMap(({ kind, name }) =>
            kind === "entry" ? [] : [name, newName(name)],
          ),
        );
        for (const each of [word, ...names]) words.set(each, Math.max(words.get(each) ?? 0, weight));
      }
    }
    const scores = new Map<Change, number>();
    for (const [word, weight] of words) {
      const changes = byWord.get(word) ?? [];
      for (const change of changes)
        scores.set(change, (scores.get(change) ?? 0) + weight / Math.sqrt(changes.length));
    }
    const [best] = [...scores].sort(
      ([a, scoreA], [b, scoreB]) => scoreB - scoreA || weightOf(b) - weightOf(a),
    );
    return best?.[0] ?? null;
  };
}

/** Names, methods and numbers in a text, without those of TypeScript's own types. */
function wordsIn(text: string): readonly string[] {
  const words = text.match(/[\w$]+(?:\/[\w$]+)*|-?\d+/g) ?? [];
  return words.filter(
    (word) => !/^(any|boolean|null|number|object|string|type|undefined|unknown)$/.test(word),
  );
}

/** A change that breaks a peer, or says what to do, explains an error better. */
function weightOf({ difference, advice, rename }: Change): number {
  return Number(difference.breaks.length > 0) + Number(advice !== null || rename !== null);
}

/** What an error says, and the code around it. */
export function cluesOf(compiler: Compiler, error: LocatedError): readonly Clue[] {
  const { file, start, length, relatedInformation = [] } = error;
  const texts = [error, ...relatedInformation].map((entry) => textOf(compiler, entry)).join(" ");
  // What a message names first is what it is about.
  const clues = [...texts.matchAll(/'([^']*)'/g)].map(([, quoted = ""], order): Clue => {
    return [quoted, !/^\W?[\w$]+\W?$/.test(quoted) ? 1 : order === 0 ? 12 : 6];
  });
  const node = nodeAt(compiler, file, start, length);
  const [from = 0, to] = file.getLineStarts().slice(file.getLineAndCharacterOfPosition(start).line);
  clues.push([file.text.slice(from, to), 1]);
  if (length < 60) clues.push([node.getText(file), 6]);
  for (let around: ts.Node | undefined = node; around !== undefined; around = around.parent) {
    if (compiler.isPropertyAssignment(around)) clues.push([around.name.getText(file), 2]);
    if (compiler.isCallExpression(around)) clues.push([around.getText(file).slice(0, 60), 2]);
    if (compiler.isVariableDeclaration(around) || compiler.isFunctionLike(around))
      clues.push([around.type?.getText(file) ?? "", 2]);
  }
  return clues;
}

/** The file behind an import that is no longer generated, such as one of a replaced revision; null for other errors. */
export function replacedFile(
  { compiler, before, base }: Programs,
  overlay: Overlay,
  { file, start, length }: LocatedError,
): Pick<Change, "sentence" | "advice"> | null {
  const node = nodeAt(compiler, file, start, length);
  const old = before.getTypeChecker().getSymbolAtLocation(node)?.valueDeclaration?.getSourceFile().fileName;
  const generated = old === undefined ? null : overlay.generated(old);
  if (old === undefined || generated === null || overlay.textOf(old) !== null) return null;
  const { folder, path } = generated;
  const isNew = (other: string, text: string | null): boolean =>
    text !== null &&
    posix.basename(other) === posix.basename(path) &&
    before.getSourceFile(`${folder.out}/${other}`) === undefined;
  const instead = [...folder.files].flatMap(([other, text]) => (isNew(other, text) ? [other] : []));
  const sentence = `${quote(posix.relative(base, old))} is no longer generated`;
  const [only, second] = instead;
  if (only === undefined || second !== undefined) return { sentence, advice: null };
  return { sentence, advice: `import it from ${quote(posix.relative(base, `${folder.out}/${only}`))}` };
}
