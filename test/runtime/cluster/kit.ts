import { cluster, type ClusterOptions } from "@mcpgen/runtime/cluster";
import { createHttpHandler, type HttpHandler, type HttpOptions } from "@mcpgen/runtime/http";
import { afterEach } from "vitest";
import { type AnyServer, legacyRevisions, type Revision, type ServerOptions } from "../kit/index.js";
import { type Answer, sendWeb, type Sent } from "../http/kit/exchange.js";
import { type Open, serversWith, type Tools } from "../http/kit/server.js";

export const secret = "a secret of at least thirty-two bytes";

/** A handler with a cluster of its own: what shares nothing with others but secrets and a store may as well be in another process. */
export interface Process extends Open {
  readonly handler: HttpHandler;
  readonly notify: AnyServer["notify"];
  /** Its name in the cluster. */
  readonly name: string;
}

/** How a process of a test differs from others. */
export interface ProcessOptions {
  readonly cluster?: Partial<ClusterOptions>;
  readonly tools?: Tools;
  readonly settings?: ServerOptions;
  readonly revisions?: readonly Revision[];
  readonly http?: HttpOptions;
}

const opened = new Set<Process>();

/** Closes the processes of each test. */
export function closingProcesses(): void {
  afterEach(async () => {
    await Promise.all([...opened].map((one) => one.close()));
    opened.clear();
  });
}

/** Starts a process that answers with what a caller says as its principal, if anything. */
export function startProcess(options: ProcessOptions = {}): Process {
  const { tools = {}, settings = {}, revisions = legacyRevisions, http = {} } = options;
  const shared = cluster({ secrets: [secret], ...options.cluster });
  const servers = serversWith(tools, { ...settings, cluster: shared }, revisions);
  const handler = createHttpHandler(servers, { cluster: shared, ...http });
  const process: Process = {
    port: 0,
    handler,
    notify: servers.at(-1)?.notify ?? {},
    name: handler.health().process ?? "",
    send: (sent) => sendWeb(handler, sent),
    close: () => handler.close(),
  };
  opened.add(process);
  return process;
}

/** A balancer that sends each request to the next process. */
export function inTurns(processes: readonly Process[]): Open {
  let turn = 0;
  const send = (sent: Sent): Promise<Answer> => (processes[turn++ % processes.length] as Process).send(sent);
  return { port: 0, send, close: async () => {} };
}

/** The principal is the value of the header Authorization. */
export const byHeader: HttpOptions = {
  authenticate: (request) => ({ principal: request.headers.get("authorization") ?? "nobody" }),
};
