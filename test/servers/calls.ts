import { stdio } from "@mcpgen/runtime/stdio";
import { connect } from "../../generated/index.js";
import type { Snapshot } from "../../src/generator/ir/snapshot/model.js";
import type { ProjectNaming } from "../../src/generator/view/project/naming.js";
import { argumentsFor } from "./arguments.js";
import { fresh, launch, type RealServer } from "./servers.js";

/** A server with its snapshot. */
export interface Known extends RealServer {
  /** A folder of its own. */
  readonly folder: string;
  readonly snapshot: Snapshot;
  readonly naming: ProjectNaming;
}

/** Calls tools by their names, as a client does. */
export interface Caller {
  callTool(params: {
    name: string;
    arguments: Record<string, unknown>;
  }): Promise<unknown>;
}

/**
 * Restarts the server in a fresh folder, makes the calls one after the other,
 * and returns their results and errors.
 */
export async function session(
  server: Known,
  make: (
    caller: Caller,
  ) => Promise<(() => Promise<unknown>)[]> | (() => Promise<unknown>)[],
): Promise<unknown[]> {
  fresh(server.folder);
  const { args, env } = launch(server, server.folder);
  const carrier = stdio(process.execPath, args, {
    env,
    cwd: server.folder,
    stderr: "ignore",
  });
  const client = await connect(carrier, {
    info: { name: "servers", version: "1.0.0" },
  });
  try {
    const outcomes: unknown[] = [];
    for (const call of await make(client as unknown as Caller)) {
      outcomes.push(
        await call().then(
          (result) => ({ result: withoutTimes(result) }),
          (error: Error) => ({ error: withoutTimes(error.message) }),
        ),
      );
    }
    return outcomes;
  } finally {
    await client.close();
  }
}

/** The value without times, which differ between calls. */
function withoutTimes(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<time>")
    .replaceAll(/\w{3} \w{3} \d\d \d{4} \d\d:\d\d:\d\d GMT[^"\\]*/g, "<time>")
    .replaceAll(/\d{1,2}:\d\d:\d\d( [AP]M)?/g, "<time>");
  return JSON.parse(text) as unknown;
}

/**
 * A program that calls every tool by its typed method, as a person would write
 * it.
 *
 * @param client the text of the file that has the typed client
 */
export function callsOf(
  { name, snapshot, naming, folder }: Known,
  client: string,
): string {
  const create = /export function (create\w+Client)\(/.exec(client)?.[1] ?? "";
  const calls = snapshot.tools.flatMap(({ raw: { inputSchema } }, i) =>
    argumentsFor(inputSchema, folder).map(
      (args) =>
        `    () => client.tools[${JSON.stringify(naming.tools[i])}](${JSON.stringify(args)}),`,
    ),
  );
  return `import { type Caller, ${create} } from "../stubs/${name}/index.js";

export function calls(caller: Caller): (() => Promise<unknown>)[] {
  const client = ${create}(caller);
  return [
${calls.join("\n")}
  ];
}
`;
}
