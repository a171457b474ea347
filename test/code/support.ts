import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as codeMode from "../../src/runtime/code.js";
import { root } from "../repository.js";

/**
 * The built entry: its thread is a file beside it, which the sources do not
 * have. `npm run test:mutants` names another.
 */
export const entry: string = join(
  process.env["MCPGEN_CODE"] ?? join(root, "src/runtime/dist"),
  "code.js",
);

export const { makeCode } = (await import(
  pathToFileURL(entry).href
)) as typeof codeMode;

const tool = (name: string, isReadOnly: boolean) => ({
  name,
  text: `files.${name}(args: object): Promise<ToolOutput>`,
  line: `files.${name}({ path?: string }): Promise<ToolOutput> — Uses ${name}.`,
  isReadOnly,
});

export const servers: readonly codeMode.CatalogServer[] = [
  {
    name: "files",
    summary: "The files of a folder",
    tools: [
      tool("read", true),
      tool("fail", true),
      tool("hang", true),
      tool("large", true),
      tool("write", false),
    ],
  },
];

/** The calls that a client of the tests got. */
export interface Client {
  readonly calls: string[];
  readonly aborted: string[];
  readonly clients: { readonly files: codeMode.CodeClient };
}

/** A client whose tools answer as their names say. */
export function newClient(): Client {
  const calls: string[] = [];
  const aborted: string[] = [];
  const content = [{ type: "text", text: "some text" }];
  type Options = { readonly signal: AbortSignal };
  const tools = {
    read: async () => {
      calls.push("read");
      return { content };
    },
    fail: async () => ({ isError: true, content }),
    hang: (_args: unknown, { signal }: Options) => {
      calls.push("hang");
      return new Promise((_, reject) =>
        signal.addEventListener("abort", () => {
          aborted.push("hang");
          reject(new Error("aborted"));
        }),
      );
    },
    large: async () => ({
      content: [{ type: "text", text: "x".repeat(2_000_000) }],
    }),
    write: async () => {
      calls.push("write");
      return { content };
    },
  };
  return { calls, aborted, clients: { files: { tools } } as never };
}

/** A folder without TypeScript: programs are run as they are. */
export const withoutTypeScript: string = mkdtempSync(
  join(tmpdir(), "mcpgen-code-"),
);

/** The answer as the table of programs writes it. */
export function shownAnswer(result: codeMode.CodeResult): string {
  if (result.ok) return `value:${JSON.stringify(result.value ?? null)}`;
  return result.reason === "limit"
    ? `limit:${result.limit ?? ""}`
    : `${result.reason}:${result.message}`;
}

/** True if an answer is one of those that a program may get. */
export const isExpected = (answer: string, answers: string): boolean =>
  answers.split("|").some((one) => {
    const [kind = "", text = ""] = [
      one.slice(0, one.indexOf(":")),
      one.slice(one.indexOf(":") + 1),
    ];
    return answer.startsWith(`${kind}:`) && answer.includes(text);
  });
