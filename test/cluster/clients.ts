import { http } from "@mcpgen/runtime/http";
import { type Revision, revisions } from "../runtime/kit/revisions.js";

/** A client that is connected. */
export interface Caller {
  /** Calls a tool and returns its text. Rejects if the call or the tool fails. */
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<string>;
  close(): Promise<void>;
}

/** A kind of client, which answers questions with the text that it is asked. */
export interface Kind {
  readonly name: string;
  /** Connects to a server as a principal. */
  open(url: string, principal: string): Promise<Caller>;
}

/** Our client of each revision: those that open a session, and those that carry metadata with each request. */
const ours = ({ revision, protocol }: Revision): Kind => ({
  name: `mcpgen ${revision}`,
  async open(url, principal) {
    const transport = http(url, { headers: { authorization: `Bearer ${principal}` } });
    const client = await protocol.Client.connect(transport, {
      info: { name: "ours", version: "1.0.0" },
      questions: protocol.clientQuestions,
      handlers: {
        "elicitation/create": ({ message }) => ({ action: "accept", content: { answer: message } }),
      },
      onError: () => {},
      onWarning: () => {},
    });
    return {
      async call(name, args) {
        const { content, isError } = await client.callTool({ name, arguments: args });
        const [{ text }] = content as [{ text: string }];
        if (isError === true) throw new Error(text);
        return text;
      },
      close: () => client.close(),
    };
  },
});
export const oursLegacy: readonly Kind[] = revisions.filter(({ isModern }) => !isModern).map(ours);
export const oursModern: readonly Kind[] = revisions.filter(({ isModern }) => isModern).map(ours);

/** What became of one call. Times are those of `Date.now()`. */
export interface CallRecord {
  readonly id: string;
  readonly kind: string;
  readonly tool: string;
  readonly sent: number;
  readonly ended: number;
  readonly text?: string;
  readonly error?: string;
}

let count = 0;

/** Calls a tool with an id that no other call has. Never rejects. */
export async function recordCall(
  kind: Kind,
  caller: Caller,
  tool: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<CallRecord> {
  const id = `${tool}-${count++}`;
  const sent = Date.now();
  const outcome = await caller.call(tool, { ...args, id }).then(
    (text) => ({ text }),
    (error: unknown) => ({ error: String(error) }),
  );
  return { id, kind: kind.name, tool, sent, ended: Date.now(), ...outcome };
}
