import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";
import { root } from "../repository.js";

const folder = fileURLToPath(new URL(".", import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith(".test-d.ts"));
const wrong = join(folder, "wrong.test-d.ts");
/** Wrong expectations, in a file that exists only in memory. */
const wrongText = `
import { expectTypeOf } from "vitest";
import { Client } from "../../generated/2024-11-05/client.js";
declare const client: Client;
expectTypeOf(client.callTool).returns.resolves.toEqualTypeOf<string>();
// @ts-expect-error it may be called like this
void client.callTool({ name: "echo" });
`;

function checker(): (file: string) => string[] {
  const config = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(root, "tsconfig.json"), (path) => ts.sys.readFile(path)).config,
    ts.sys,
    root,
  );
  const host = ts.createCompilerHost(config.options);
  const { readFile, fileExists } = host;
  host.readFile = (path) => (path === wrong ? wrongText : readFile(path));
  host.fileExists = (path) => path === wrong || fileExists(path);
  const program = ts.createProgram([...files.map((name) => join(folder, name)), wrong], config.options, host);
  return (file) => {
    const source = program.getSourceFile(file);
    if (source === undefined) throw new Error(`${file} is not part of the program.`);
    const diagnostics = [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ];
    return diagnostics.map(({ start = 0, messageText }) => {
      const { line } = source.getLineAndCharacterOfPosition(start);
      return `line ${line + 1}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
    });
  };
}

const check = checker();

it.each(files)("the compiler confirms every expectation in %s", (name) => {
  expect(check(join(folder, name))).toEqual([]);
});

it("the compiler reports a wrong expectation", () => {
  expect(check(wrong).map((text) => text.slice(0, 50))).toEqual([
    expect.stringMatching(/^line 5: /),
    "line 6: Unused '@ts-expect-error' directive.",
  ]);
});
