import { describe, expect, it } from "vitest";
import type { Protocol } from "../../src/generator/ir/model.js";
import { generated } from "../view/generated.js";
import { hostile } from "./corpus.js";
import { sample } from "./protocol.js";
import { filled, slotsOf, type Slot } from "./slots.js";
import { invisible, syntaxOf } from "./syntax.js";

const protocol = await sample();
const slots = slotsOf(protocol);

type Texts = readonly (readonly [Slot, string])[];

/**
 * Harmless words in place of the hostile texts; a path of capabilities keeps
 * its length.
 */
function benign(texts: Texts): Texts {
  return texts.map(([slot, text], i) => {
    const { what, name } = slot;
    const word = `${name === null ? "benign" : "Benign"}${what.replace(/[^A-Za-z]/g, "")}${i}`;
    const isPath = what.endsWith("capability.path");
    return [
      slot,
      isPath ? text.replace(/[^.]+|(?<=^|\.)(?=\.|$)/g, word) : word,
    ];
  });
}

const twins = new Map<string, readonly string[]>();

function syntaxOfTwin(texts: Texts): readonly string[] {
  const harmless = benign(texts);
  const key = JSON.stringify(harmless.map(([{ what }, text]) => [what, text]));
  const known = twins.get(key) ?? syntaxes(filled(protocol, harmless));
  twins.set(key, known);
  return known;
}

function syntaxes(from: Protocol): string[] {
  return [...generated([from]).files].map(([path, text]) =>
    syntaxOf(path, text),
  );
}

/**
 * The differences between files with hostile texts and their twins, and
 * invisible characters.
 */
function faultsOf(texts: Texts): string[] {
  const twin = syntaxOfTwin(texts);
  return [...generated([filled(protocol, texts)]).files].flatMap(
    ([path, content], i) => {
      const hidden = invisible.exec(content);
      if (hidden !== null)
        return [`${path} contains ${JSON.stringify(hidden[0])}`];
      try {
        const difference = differenceOf(syntaxOf(path, content), twin[i] ?? "");
        return difference === null
          ? []
          : [`${path} has another syntax: ${difference}`];
      } catch (error) {
        return [String(error)];
      }
    },
  );
}

function differenceOf(actual: string, expected: string): string | null {
  if (actual === expected) return null;
  const [ours, theirs] = [actual.split(" "), expected.split(" ")];
  const at = ours.findIndex((kind, i) => kind !== theirs[i]);
  const around = (kinds: readonly string[]): string =>
    kinds.slice(Math.max(0, at - 5), at + 5).join(" ");
  return `${around(ours)} in the place of ${around(theirs)}`;
}

/** The slots that cause the differences, each tried alone. */
function blame(texts: Texts): string[] {
  const faults = texts.flatMap((entry) => {
    const [{ what }, text] = entry;
    return faultsOf([entry]).map(
      (fault) => `${what} = ${JSON.stringify(text.slice(0, 60))}: ${fault}`,
    );
  });
  return faults.length > 0
    ? faults
    : ["several slots together", ...faultsOf(texts)];
}

describe("the generated files of a protocol with hostile text in every slot", () => {
  it("are tested with slots of every kind", () => {
    expect(slots.map(({ what }) => what)).toEqual(
      expect.arrayContaining([
        "revision",
        "source.name",
        "source.sha256",
        "levels",
        "headers.name",
        "wellKnown.initialize",
        "meta.progressToken",
        "engineDefaults.member",
        "messages.method",
        "messages.items",
        "messages.capability.path",
        "messages.conditions.member",
        "declarations.schema.doc.text",
        "declarations.schema.doc.tags.text",
        "declarations.schema.checks.values",
        "declarations.schema.checks.properties.name",
        "declarations.schema.checks.properties.schema.checks.values",
        "declarations.schema.checks.properties.schema.checks.schemas.checks.values",
        "declarations.schema.checks.properties.schema.checks.properties.name",
        "declarations.bases.omit",
        "the interface Note",
        "the constant TOO_MANY",
      ]),
    );
  });

  // Every slot gets every text once, each time beside other texts in the other
  // slots.
  it.each(hostile.map((text, turn) => ({ text: text.slice(0, 40), turn })))(
    "have the same syntax as with harmless words, and no invisible character: turn $turn, $text",
    ({ turn }) => {
      const texts = slots.map(
        (slot, i) =>
          [slot, hostile[(turn + i) % hostile.length] ?? ""] as const,
      );
      const faults = faultsOf(texts);
      expect(faults.length === 0 ? [] : blame(texts)).toEqual([]);
    },
  );
});
