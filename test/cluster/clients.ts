import { http } from "@mcpgen/runtime/http";
import type { AnyClient, AnyProtocol, Revision } from "../runtime/kit/index.js";
import type { CallRecord } from "./evidence.js";
import { revisions } from "./generated.js";

/** A client that is connected. */
export interface Caller {
  /**
   * Calls a tool and returns its text. Rejects if the call or the tool fails.
   */
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<string>;
  close(): Promise<void>;
  /** The client itself, if it is ours. */
  readonly client?: AnyClient;
}

/** A kind of client, which answers questions with the text that it is asked. */
export interface Kind {
  readonly name: string;
  /**
   * Connects to a server as a principal. Our clients call `onUpdate` when a
   * resource to which they subscribe has changed.
   */
  open(url: string, principal: string, onUpdate?: () => void): Promise<Caller>;
}

const hasForms = ({ clientQuestions }: AnyProtocol): boolean =>
  Object.hasOwn(clientQuestions.incomingRequests, "elicitation/create");

/**
 * Our client of each revision: those that open a session, and those that carry
 * metadata with each request.
 */
const ours = ({ revision, protocol }: Revision): Kind => ({
  name: `mcpgen ${revision}`,
  async open(url, principal, onUpdate) {
    const headers = { authorization: `Bearer ${principal}` };
    // A deploy breaks a stream several times. A listener calls nothing by
    // itself, which would open its stream again.
    const patience = {
      reconnectTime: 100,
      maxReconnectTime: 1000,
      maxReconnects: 100,
    };
    const transport = http(url, { headers, ...patience });
    const client = await protocol.Client.connect(transport, {
      info: { name: "ours", version: "1.0.0" },
      questions: protocol.clientQuestions,
      handlers: {
        ...(hasForms(protocol) && {
          "elicitation/create": ({ message }) => ({
            action: "accept",
            content: { answer: message },
          }),
        }),
        "notifications/resources/updated": () => onUpdate?.(),
      },
      onError: () => {},
      onWarning: () => {},
    });
    return {
      async call(name, args) {
        const { content, isError } = await client.callTool({
          name,
          arguments: args,
        });
        const [{ text }] = content as [{ text: string }];
        if (isError === true) throw new Error(text);
        return text;
      },
      close: () => client.close(),
      client,
    };
  },
});
export const oursLegacy: readonly Kind[] = revisions
  .filter(({ isModern }) => !isModern)
  .map(ours);
export const oursModern: readonly Kind[] = revisions
  .filter(({ isModern }) => isModern)
  .map(ours);

let count = 0;

/**
 * An id that no other call of this run of tests has. It is a mark that must not
 * be readable in the engine.
 */
export const nextId = (tool: string): string =>
  `planted-${tool}-${process.pid}-${count++}`;

/** Calls a tool with an id that no other call has. Never rejects. */
export async function recordCall(
  who: Pick<CallRecord, "kind" | "principal">,
  caller: Caller,
  tool: string,
): Promise<CallRecord> {
  const id = nextId(tool);
  const sent = Date.now();
  const outcome = await caller.call(tool, { id }).then(
    (text) => ({ text }),
    (error: unknown) => ({ error: String(error) }),
  );
  return { ...who, id, tool, sent, ended: Date.now(), ...outcome };
}
