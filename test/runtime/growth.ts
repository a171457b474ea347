import { memoryPair, serve } from "@mcpgen/runtime";
import { prompts, resources, tools } from "@mcpgen/runtime/features";
import {
  type AnyClient,
  everything,
  join,
  type Json,
  legacy,
  makeClient,
  makeServer,
  metaFor,
  modern,
  resultOf,
  type ServerOptions,
  serveWire,
  shakeHands,
  text,
  type Wire,
} from "./kit/index.js";
import { makeRoom } from "../../src/runtime/cluster/records.js";

const each = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const inOrder = async (
  count: number,
  work: (i: number) => unknown,
): Promise<void> => {
  for (let i = 0; i < count; i++) await work(i);
};

/** Reads all pages of a list. */
async function readPages(
  wire: Wire,
  method: string,
  _meta: Json | undefined,
): Promise<void> {
  let cursor: unknown;
  do {
    const answer = await wire.ask(++id, method, { cursor, _meta });
    cursor = resultOf(answer)["nextCursor"];
  } while (cursor !== undefined);
}
let id = 0;

const handler = (): Json => text("done");
const inputSchema = { type: "object" };
type Paging = Readonly<{ pageSize: number }>;
const lists: Readonly<
  Record<string, (n: number, paging?: Paging, more?: object) => object>
> = {
  "tools/list": (n, paging, more) =>
    tools(
      each(n, (i) => ({ name: `t${i}`, inputSchema, handler, ...more })),
      paging,
    ),
  "prompts/list": (n, paging, more) =>
    prompts(
      each(n, (i) => ({
        name: `p${i}`,
        get: () => "done",
        ...more,
      })) as never,
      paging,
    ),
  "resources/list": (n, paging, more) =>
    resources(
      each(n, (i) => ({
        name: `r${i}`,
        uri: `file:///${i}`,
        read: () => "done",
        ...more,
      })) as never,
      paging,
    ),
};

/** A client and a server, which is told of each subscription. */
const joined = (server: ServerOptions) => join(legacy.protocol, { server });

/** How lists are read: with what pages, and what each entry has more. */
const readings: Readonly<
  Record<string, (n: number) => readonly [paging: Paging, more?: object]>
> = {
  "ten pages": (n) => [{ pageSize: n / 10 }],
  "pages of ten entries": () => [{ pageSize: 10 }],
  "pages of ten entries that ask whom they are for": () => [
    { pageSize: 10 },
    { visible: () => true },
  ],
};

/** What the runtime does n times, or with n of something. */
export const rows: readonly (readonly [
  what: string,
  prepare: (n: number) => Promise<() => unknown>,
])[] = [
  ...[legacy, modern].flatMap((one) =>
    Object.entries(lists).flatMap(([method, make]) =>
      Object.entries(readings).map(
        ([what, reading]) =>
          [
            `${what} of ${method} of ${one.revision}`,
            async (n: number) => {
              const handlers = { ...make(n, ...reading(n)) };
              const wire = await serveWire(
                makeServer(one.protocol, { handlers }),
              );
              if (!one.isModern) await shakeHands(wire, one.revision);
              const meta = one.isModern ? metaFor(one) : undefined;
              return () => readPages(wire, method, meta);
            },
          ] as const,
      ),
    ),
  ),
  ...Object.entries(lists).map(
    ([method, make]) =>
      [
        `the declaration of what ${method} has`,
        (n: number) =>
          Promise.resolve(() =>
            makeServer(modern.protocol, { handlers: { ...make(n) } }),
          ),
      ] as const,
  ),
  [
    "subscriptions that are made and ended, with news of each",
    async (n) => {
      const { client, server } = await joined({
        capabilities: everything,
        handlers: {
          ...lists["resources/list"]?.(n),
          "resources/subscribe": () => ({}),
          "resources/unsubscribe": () => ({}),
        },
      });
      return async () => {
        const uri = (i: number): Json => ({ uri: `file:///${i}` });
        await inOrder(n, (i) => client.subscribe?.(uri(i)));
        for (let i = 0; i < n; i++) server.notify["resourceUpdated"]?.(uri(i));
        await inOrder(n, (i) => client.unsubscribe?.(uri(i)));
      };
    },
  ],
  [
    "records that a process of a cluster keeps for callers",
    (n) => {
      const { admit } = makeRoom(1e9);
      return Promise.resolve(() => {
        for (let i = 0; i < n; i++)
          admit("session", { caller: `${i}`, ttl: 60_000, remove: () => {} })(
            100,
            "1",
          );
      });
    },
  ],
  [
    "calls that are open at the same time",
    async (n) => {
      const { client } = await joined({
        handlers: { "tools/call": handler },
        limits: { inFlight: 1000 },
      });
      return () =>
        Promise.all(each(n, (i) => client.callTool({ name: `t${i}` })));
    },
  ],
  [
    "sessions of one server, with one announcement to all",
    (n) => {
      const server = makeServer(legacy.protocol, { capabilities: everything });
      return Promise.resolve(async () => {
        const clients: AnyClient[] = [];
        await inOrder(n, async () => {
          const [near, far] = memoryPair();
          await serve(far, server);
          clients.push(await makeClient(legacy.protocol, near));
        });
        server.notify["toolsListChanged"]?.();
        await Promise.all(clients.map((client) => client.ping?.()));
        await inOrder(n, (i) => clients[i]?.close());
      });
    },
  ],
];
