import {
  serveStdio,
  type ServeStdioOptions,
} from "../core/role/serve-stdio.js";
import type { ServerDefinition } from "../core/role/server.js";
import type { Asking } from "../features/ask.js";
import type { FeatureContext } from "../features/feature.js";
import { type AnyTool, tools } from "../features/tools.js";
import type { Code } from "./code.js";
import { askingRuns } from "./asking.js";
import type { CodeFile } from "./results.js";

/** What `mcpgen --version all` generates, as far as it is needed here. */
export interface CodeProtocol {
  createServers(options: never): readonly ServerDefinition[];
  readonly serverQuestions: unknown;
}

/** Options of `serveCode`. */
export interface ServeCodeOptions extends ServeStdioOptions {
  /** The name and version of the server. */
  readonly info?: { readonly name: string; readonly version: string };
  /**
   * The tools that may change something and are called without a question, such
   * as `files.editFile`. The default is none.
   */
  readonly allow?: readonly string[];
}

/**
 * Offers the tools of several servers as one server over stdio, with four tools:
 * `search_tools`, `describe_tools`, `call_tool` and `run_code`. The user is
 * asked before a tool is called that does not only read; a client that cannot
 * ask gets a refusal.
 *
 * @param protocol the generated folder of all revisions: `import * as mcp from
 *   "./gen/index.js"`
 */
export async function serveCode(
  code: Code,
  protocol: CodeProtocol,
  options: ServeCodeOptions = {},
): Promise<void> {
  const { info = { name: "code", version: "1.0.0" }, allow } = options;
  const settings = {
    info,
    instructions: `${code.index}\n\nFind tools with search_tools. Prefer one program of run_code to many calls.`,
    questions: protocol.serverQuestions,
    // A program that waits for an answer is in this process alone.
    stateKeys: [crypto.getRandomValues(new Uint8Array(32))],
    handlers: tools(codeTools(code, allow)),
  };
  await serveStdio(protocol.createServers(settings as never), options);
}

type Context = Asking<FeatureContext>;

const text = { type: "string" } as const;
const objectOf = (
  properties: Readonly<Record<string, object>>,
  required: readonly string[] = Object.keys(properties),
) => ({ type: "object", properties, required });

/** The tools of a server over code mode. */
function codeTools(code: Code, allow?: readonly string[]): AnyTool<Context>[] {
  const withAsking = askingRuns(allow);
  const list: readonly object[] = [
    ...catalogTools(code),
    callTool(code, withAsking),
    runCode(code, withAsking),
  ];
  return list as AnyTool<Context>[];
}

type Asks = ReturnType<typeof askingRuns>;

/** What a model finds tools with. */
function catalogTools(code: Code) {
  const search = {
    name: "search_tools",
    description: `Finds tools by words, and returns their signatures, the best first. Servers:\n${code.index}`,
    inputSchema: objectOf({ words: text }),
    annotations: { readOnlyHint: true },
    handler: ({ words }: { readonly words: string }) =>
      code.search(words) || "No tool fits these words.",
  };
  const describe = {
    name: "describe_tools",
    description:
      "Returns the comments and signatures of tools by their names, such as files.editFile, or of all tools of a server by its name.",
    inputSchema: objectOf({
      names: { type: "array", items: text, maxItems: 50 },
    }),
    annotations: { readOnlyHint: true },
    handler: (args: { readonly names: readonly string[] }) =>
      code.describe(args.names),
  };
  return [search, describe];
}

const callTool = (code: Code, withAsking: Asks) => ({
  name: "call_tool",
  description:
    "Calls one tool, such as files.editFile, with an object of arguments.",
  inputSchema: objectOf({ name: text, arguments: { type: "object" } }, [
    "name",
  ]),
  handler: (
    args: { readonly name: string; readonly arguments?: object },
    context: Context,
  ) =>
    withAsking(context, async (options) => {
      const called = await code.call(args.name, args.arguments, options);
      const value = { type: "text", text: JSON.stringify(called.value) };
      return { content: [value, ...called.files.map(blockOf)] };
    }),
});

const runCode = (code: Code, withAsking: Asks) => ({
  name: "run_code",
  description:
    "Runs the body of an async function in TypeScript, in which each server is a namespace with its tools as async functions: return (await files.readFile({ path })).content; It is checked before anything is called. It has console.log, and neither imports nor timers; what it returns must be JSON.",
  inputSchema: objectOf({ program: text }),
  handler: ({ program }: { readonly program: string }, context: Context) =>
    withAsking(context, async (options) => {
      const result = await code.run(program, options);
      const printed = result.text && `Printed:\n${result.text}\n`;
      const last = result.ok
        ? `Value: ${JSON.stringify(result.value ?? null)}`
        : result.message;
      const content = [{ type: "text", text: `${printed}${last}` }];
      return { content, isError: !result.ok };
    }),
});

/** A file of a tool as a block of content. */
function blockOf({ handle, mimeType, data }: CodeFile): object {
  const [type = ""] = mimeType.split("/");
  return type === "image" || type === "audio"
    ? { type, mimeType, data }
    : {
        type: "resource",
        resource: { uri: `code:///${handle}`, mimeType, blob: data },
      };
}
