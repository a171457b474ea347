import { format } from "prettier";
import { describe, expect, it } from "vitest";
import { printFile } from "../../src/generator/emit/print.js";
import {
  alias,
  annotation,
  callCode,
  type Code,
  code,
  generic,
  identifier,
  importList,
  indexedType,
  intersectionCode,
  literal,
  memberLines,
  memberTable,
  nameList,
  signature,
  unionCode,
} from "../../src/generator/view/typescript/code.js";

/** A declaration with a name of some length; what follows it breaks if it is long. */
type Shape = (name: Code) => Code;

const [a, b, c] = ["Alpha", "Beta", "Gamma"].map(identifier) as [
  Code,
  Code,
  Code,
];
const word = (length: number): Code =>
  identifier("x".repeat(Math.max(1, length)));
const inInterface = (member: Code): Code =>
  code`export interface Outer ${memberLines([member])}`;
const member = (type: Code): Code => inInterface(annotation(code`m`, [type]));

const shapes: Readonly<Record<string, Shape>> = {
  "a generic type of one name": (name) => member(generic(a, [name])),
  "a generic type of one name of a module": (name) =>
    member(generic(a, [code`p.${name}`])),
  "a generic type of a text": (name) =>
    member(generic(a, [literal(String(name.layout))])),
  "a generic type of two names": (name) => member(generic(a, [b, name])),
  "a generic type of three names": (name) => member(generic(name, [a, b, c])),
  "a generic type of a member of a type": (name) =>
    member(generic(a, [indexedType(name, literal("text"))])),
  "a generic type of a union": (name) =>
    member(generic(a, [unionCode([name, b])])),
  "a generic type of a generic type": (name) =>
    member(generic(a, [generic(b, [name])])),
  "a generic type of a generic type of two": (name) =>
    member(generic(a, [generic(b, [name, c])])),
  "a member with a union": (name) =>
    inInterface(annotation(code`m`, [a, b, name])),
  "a member with a union of a generic type": (name) =>
    inInterface(annotation(code`m`, [a, generic(b, [name])])),
  "a member of a type": (name) => member(indexedType(name, literal("text"))),
  "an alias": (name) => code`export type ${alias(a, [name])}`,
  "an alias of a union": (name) => code`export type ${alias(a, [b, name])}`,
  "a member with an intersection": (name) =>
    member(intersectionCode([b, name])),
  "a member with an intersection of three": (name) =>
    member(intersectionCode([b, c, name])),
  "a method without parameters": (name) =>
    inInterface(signature(code`m`, [], name)),
  "a method with one parameter": (name) =>
    inInterface(signature(name, [code`a: A`], a)),
  "a method with two parameters": (name) =>
    inInterface(signature(name, [code`a: A`, code`b?: B`], a)),
  "a method with a generic result": (name) =>
    inInterface(signature(code`m`, [code`a: A`], generic(a, [name]))),
  "a call without arguments": (name) => code`${callCode(name, [])};`,
  "a call with an argument": (name) => code`${callCode(name, [a])};`,
  "a call with two arguments": (name) =>
    code`${callCode(name, [a, literal("text")])};`,
  "an import of one name": (name) =>
    code`import ${nameList([name])} from "./x.js";`,
  "an import of two names": (name) =>
    code`import ${importList([name, code`type Beta`])} from "./x.js";`,
  "a table": (name) =>
    code`export const table = ${memberTable([code`a: ${name}`])};`,
};

describe("a piece of code", () => {
  it.each(Object.entries(shapes))(
    "breaks its lines where Prettier does, whatever the length of its names: %s",
    async (_, shape) => {
      const { length } =
        printFile([shape(identifier("x")).layout])
          .split("\n")
          .sort((one, other) => other.length - one.length)[0] ?? "";
      const different: string[] = [];
      for (let width = 74; width <= 90; width += 1) {
        const text = `${printFile([shape(word(width - length + 1)).layout])}\n`;
        const pretty = await format(text, { parser: "typescript" });
        if (text !== pretty) different.push(`${text}\n---\n${pretty}`);
      }
      expect(different).toEqual([]);
    },
  );
});
