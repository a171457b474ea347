import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { createServers } from "../../generated/index.js";
import { directory, runHere } from "../cli/support.js";
import { filesIn } from "../files.js";
import { firstSchemas } from "../update/project.js";

/** The files of a project, by path. */
export type Files = Readonly<Record<string, string>>;

/** A server over HTTP with a tool, which can change. */
export interface Greeter extends AsyncDisposable {
  readonly url: string;
  /** Adds an argument, and a tool that would get the name of the first one. */
  change(): void;
}

export async function startGreeter(): Promise<Greeter> {
  let names = ["greet_me"];
  let properties: Record<string, object> = { name: { type: "string" } };
  const toolOf = (name: string) => ({
    name,
    inputSchema: { type: "object" as const, properties },
  });
  const handler = createHttpHandler(
    createServers({
      info: { name: "greeter", version: "1.0.0" },
      handlers: {
        "tools/list": () => ({ tools: names.map(toolOf) }),
        "tools/call": () => ({ content: [] }),
      },
    }),
  );
  const { url, close } = await serveHttp(handler, { port: 0 });
  return {
    url,
    change: () => {
      names = ["greet-me", ...names];
      properties = { ...properties, title: { type: "string" } };
    },
    [Symbol.asyncDispose]: close,
  };
}

export async function changedGreeter(): Promise<Greeter> {
  const greeter = await startGreeter();
  greeter.change();
  return greeter;
}

/** The configuration of the project. */
export const configurationFor = (url: string): string =>
  JSON.stringify({
    servers: [
      { snapshot: "greeter.mcp.json", source: { url }, out: "greeter" },
    ],
  });

/** The files that the commands of this release write into a project. */
export async function writeProject(): Promise<Files> {
  await using greeter = await startGreeter();
  const project = directory({
    "mcpgen.config.json": configurationFor(greeter.url),
    "spec/schema/2027-01-15/schema.ts":
      firstSchemas["schema/2027-01-15/schema.ts"] ?? "",
  });
  const succeed = async (line: string): Promise<void> => {
    const { code, out, err } = await runHere(line.split(" "), project);
    if (code !== 0) throw new Error(`mcpgen ${line}: ${code}\n${out}${err}`);
  };
  await succeed("update --from ./spec");
  await succeed(`pull --url ${greeter.url} -o greeter.mcp.json`);
  await succeed("generate");
  greeter.change();
  await succeed("check --live --accept");
  // Those that say what a later run must know, and the smallest modules.
  const kept = Object.entries(filesIn(project)).filter(
    ([path, text]) =>
      !/^spec\/|config/.test(path) &&
      (path.endsWith(".json") || text.length < 3000),
  );
  return Object.fromEntries(kept);
}
