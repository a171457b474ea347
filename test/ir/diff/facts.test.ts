import { describe, expect, it } from "vitest";
import { diff } from "../../../src/generator/ir/diff/index.js";
import type { Message } from "../../../src/generator/ir/model.js";
import { notes, protocolOf } from "../made.js";
import { lines } from "./between.js";

const { messages, ...rest } = await protocolOf(
  notes({
    beside: `export interface OtherResult extends Result { o: string }
      export interface TickNotification extends Notification { method: "notifications/tick"; params: { n: number } }
      export type ServerNotification = TickNotification;`,
  }),
);

/** What differs between two messages, and the texts of it. */
function rowsOf(method: string, was: object, is: object): string[] {
  const [old, fresh] = [was, is].map((change) => ({
    ...rest,
    messages: messages.map((message) =>
      message.method === method
        ? ({ ...message, ...change } as Message)
        : message,
    ),
  }));
  if (old === undefined || fresh === undefined) return [];
  const { differences } = diff(old, fresh);
  return lines(differences).map((line, i) => {
    const { before, after } = differences[i] ?? {};
    return `${line.slice(line.indexOf(" ") + 1)}: ${before} → ${after}`;
  });
}

const get = "notes/get";
const tick = "notifications/tick";
const notesOfServer = { side: "server", path: "notes", flag: false };
const notesOfReceiver = { side: "receiver", path: "notes", flag: false };
const form = {
  member: "mode",
  values: ["form", null],
  capability: { side: "client", path: "form", flag: false },
};
const withoutParams = {
  params: { presence: "none", schema: null, declaredBy: null },
};
const params = messages.find(({ method }) => method === get)?.params;
const optional = { params: { ...params, presence: "optional" } };

/** What becomes what, and the differences in both directions. */
const rows: readonly (readonly [string, object, object, string[], string[]])[] =
  [
    [
      get,
      {},
      { sender: "server" },
      [
        "sender-removed: breaking: client sends: client → server",
        "sender-added: compatible: client → server",
      ],
      [
        "sender-removed: breaking: server sends: server → client",
        "sender-added: compatible: server → client",
      ],
    ],
    [
      get,
      {},
      { sender: "either" },
      ["sender-added: compatible: client → either"],
      ["sender-removed: breaking: server sends: either → client"],
    ],
    [
      tick,
      {},
      { sender: "client" },
      [
        "sender-removed: compatible: server → client",
        "sender-added: compatible: server → client",
      ],
      [
        "sender-removed: compatible: client → server",
        "sender-added: compatible: client → server",
      ],
    ],
    [
      tick,
      {},
      { sender: "either" },
      ["sender-added: compatible: server → either"],
      ["sender-removed: compatible: either → server"],
    ],
    [
      get,
      {},
      { capability: notesOfServer },
      ["capability-required: breaking: server receives: null → server notes"],
      ["capability-released: compatible: server notes → null"],
    ],
    [
      get,
      {},
      { capability: { ...notesOfServer, side: "client" } },
      ["capability-required: breaking: client sends: null → client notes"],
      ["capability-released: compatible: client notes → null"],
    ],
    [
      get,
      {},
      { capability: notesOfReceiver },
      ["capability-required: breaking: server receives: null → receiver notes"],
      ["capability-released: compatible: receiver notes → null"],
    ],
    [
      get,
      { sender: "either" },
      { sender: "either", capability: notesOfReceiver },
      [
        "capability-required: breaking: server receives: null → receiver notes",
        "capability-required: breaking: client receives: null → receiver notes",
      ],
      ["capability-released: compatible: receiver notes → null"],
    ],
    [
      get,
      { capability: notesOfReceiver },
      { capability: notesOfServer },
      ["capability-released: neither: receiver notes → server notes"],
      ["capability-released: neither: server notes → receiver notes"],
    ],
    [
      get,
      { capability: { ...notesOfServer, path: "other" } },
      { capability: notesOfServer },
      [
        "capability-required: breaking: server receives: server other → server notes",
      ],
      [
        "capability-required: breaking: server receives: server notes → server other",
      ],
    ],
    [get, {}, { deprecated: true }, [], []],
    [
      get,
      {},
      { carriage: "embedded" },
      [
        "carriage-changed: breaking: client sends, server receives: wire → embedded",
      ],
      [
        "carriage-changed: breaking: client sends, server receives: embedded → wire",
      ],
    ],
    [
      get,
      {},
      { headerMember: "id" },
      ["header-member-added: breaking: client sends: null → id"],
      ["header-member-removed: compatible: id → null"],
    ],
    [
      get,
      { headerMember: "id" },
      { headerMember: "other" },
      ["header-member-added: breaking: client sends: id → other"],
      ["header-member-added: breaking: client sends: other → id"],
    ],
    [
      get,
      {},
      { conditions: [form] },
      [
        'params.mode capability-condition-added: neither: null → client form for "form" or no value',
      ],
      [
        'params.mode capability-condition-removed: neither: client form for "form" or no value → null',
      ],
    ],
    [
      get,
      {},
      { conditions: [form, { ...form, values: null }] },
      [
        'params.mode capability-condition-added: neither: null → client form for "form" or no value',
        "params.mode capability-condition-added: neither: null → client form",
      ],
      [
        'params.mode capability-condition-removed: neither: client form for "form" or no value → null',
        "params.mode capability-condition-removed: neither: client form → null",
      ],
    ],
    [
      get,
      { conditions: [{ ...form, member: "id" }] },
      { conditions: [form] },
      [
        'params.id capability-condition-removed: neither: client form for "form" or no value → null',
        'params.mode capability-condition-added: neither: null → client form for "form" or no value',
      ],
      [
        'params.mode capability-condition-removed: neither: client form for "form" or no value → null',
        'params.id capability-condition-added: neither: null → client form for "form" or no value',
      ],
    ],
    [
      get,
      {},
      { results: ["GetNoteResult", "OtherResult"] },
      ["result result-added: breaking: client receives: null → OtherResult"],
      ["result result-removed: breaking: server sends: OtherResult → null"],
    ],
    [
      get,
      {},
      { results: ["OtherResult"] },
      [
        "result.text required-member-removed: breaking: client receives: text: string → null",
        "result.shared optional-member-removed: compatible: shared?: Shared → null",
        "result.o required-member-added: breaking: server sends: null → o: string",
      ],
      [
        "result.o required-member-removed: breaking: client receives: o: string → null",
        "result.text required-member-added: breaking: server sends: null → text: string",
        "result.shared optional-member-added: compatible: null → shared?: Shared",
      ],
    ],
    [
      get,
      { results: ["GetNoteResult", "EmptyResult"] },
      { results: ["OtherResult"] },
      [
        "result result-removed: breaking: server sends: GetNoteResult → null",
        "result result-removed: breaking: server sends: EmptyResult → null",
        "result result-added: breaking: client receives: null → OtherResult",
      ],
      [
        "result result-removed: breaking: server sends: OtherResult → null",
        "result result-added: breaking: client receives: null → GetNoteResult",
        "result result-added: breaking: client receives: null → EmptyResult",
      ],
    ],
    [
      get,
      {},
      withoutParams,
      [
        "params required-member-removed: breaking: server receives: params: Sent → null",
      ],
      [
        "params required-member-added: breaking: client sends: null → params: Sent",
      ],
    ],
    [
      get,
      optional,
      withoutParams,
      ["params optional-member-removed: compatible: params?: Sent → null"],
      ["params optional-member-added: compatible: null → params?: Sent"],
    ],
    [
      get,
      {},
      optional,
      [
        "params member-made-optional: breaking: server receives: params: Sent → params?: Sent",
      ],
      [
        "params member-made-required: breaking: client sends: params?: Sent → params: Sent",
      ],
    ],
    [
      get,
      {},
      { cancellable: false },
      ["cancellable fact-changed: neither: true → false"],
      ["cancellable fact-changed: neither: false → true"],
    ],
    [
      get,
      {},
      { other: 7 },
      ["other fact-added: neither: null → 7"],
      ["other fact-removed: neither: 7 → null"],
    ],
    [
      get,
      {},
      { method: "notes/other" },
      [
        "method-renamed: breaking: client sends, server receives: notes/get → notes/other",
      ],
      [
        "method-renamed: breaking: client sends, server receives: notes/other → notes/get",
      ],
    ],
  ];

describe("a fact of a message that differs", () => {
  it.each(rows)(
    "is told once, with its texts: %s from %j to %j",
    (method, was, is, want, wantBack) => {
      expect(rowsOf(method, was, is)).toEqual(want);
      expect(rowsOf(method, is, was)).toEqual(wantBack);
    },
  );
});
