import { ts } from "ts-morph";
import { describe, expect, it } from "vitest";
import { newErrors } from "../../src/commands/update/impact/programs.js";

const parsed = (path: string, text: string): ts.SourceFile =>
  ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
/** The file of the user, whose tree both programs share. */
const user = parsed(
  "/user.ts",
  'import { made } from "./gen.js"; export const a = made();',
);
const hidden = "made = () => class { private b = 1; };";

/** The program of the user, with what is generated. */
function programOf(text: string, options: ts.CompilerOptions): ts.Program {
  const files = [user, parsed("/gen.ts", text)];
  const find = (path: string) =>
    files.find(({ fileName }) => fileName === path);
  const host: ts.CompilerHost = {
    getSourceFile: find,
    fileExists: (path) => find(path) !== undefined,
    readFile: (path) => find(path)?.text,
    getDefaultLibFileName: () => "",
    getCurrentDirectory: () => "/",
    getCanonicalFileName: (path) => path,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
    writeFile: () => undefined,
  };
  const all = { noLib: true, types: [], ...options };
  return ts.createProgram([user.fileName], all, host);
}

describe("an export that a declaration file cannot name", () => {
  it.each([
    ["made = () => 1", { declaration: true }, [4094]],
    ["made = () => 1", { composite: true }, [4094]],
    ["made = () => 1", { declaration: false }, []],
    ["made = () => 1", {}, []],
    [hidden, { declaration: true }, []],
  ])(
    "is a new error only of a program with declarations, if it was none before: %s %j",
    (text, options, codes) => {
      const before = programOf(`export const ${text}`, options);
      const after = programOf(`export const ${hidden}`, options);
      const errors = newErrors({ before, after, files: [user] } as never);
      expect(errors.map(({ code }) => code)).toEqual(codes);
    },
  );
});
