import { describe, expect, it } from "vitest";
import { between, type Parts } from "./between.js";

const messages = (list: string, sender: string, result = "EmptyResult"): Parts => ({
  beside: `export interface ListRequest extends Request { ${list} }
    ${result === "EmptyResult" ? "" : `export interface ListResult extends Result { ${result} }`}
    ${sender}`,
});
const list = 'method: "notes/list"';
const byServer = "export type ServerRequest = ListRequest;";

describe("a message", () => {
  it.each<[string, Parts, Parts, string[]]>([
    [
      "that comes is compatible, its declaration and union told beside it",
      {},
      messages(list, byServer),
      [
        "notes/list request-added: compatible",
        "ListRequest type-added: neither",
        "ServerRequest type-added: neither",
      ],
    ],
    [
      "that goes breaks whoever sent it",
      messages(list, byServer),
      {},
      [
        "notes/list request-removed: breaking: server sends",
        "ListRequest type-removed: neither",
        "ServerRequest type-removed: neither",
      ],
    ],
    [
      "whose params become required breaks the sender",
      messages(`${list}; params?: { a?: string }`, byServer),
      messages(`${list}; params: { a?: string }`, byServer),
      ["notes/list params member-made-required: breaking: server sends"],
    ],
    [
      "whose result gains a required member breaks whoever answers",
      messages(list, byServer, "a: string"),
      messages(list, byServer, "a: string; b: string"),
      ["ListResult b required-member-added: breaking: client sends"],
    ],
  ])("%s", async (_, was, is, want) => {
    expect(await between(was, is)).toEqual(want);
  });

  it("that a side may no longer send breaks that side, and one that it may send now breaks nobody", async () => {
    const either: Parts = { beside: "export type ServerRequest = GetNoteRequest;" };
    expect(await between(either, {})).toContain("notes/get sender-removed: breaking: server sends");
    expect(await between({}, either)).toContain("notes/get sender-added: compatible");
  });

  it("that rides inside a result now breaks whoever knew it on the wire", async () => {
    const sender = (union: string): Parts => messages(list, `export type ${union} = ListRequest;`);
    expect(await between(sender("ServerRequest"), sender("InputRequest"))).toContain(
      "notes/list carriage-changed: breaking: client receives, server sends",
    );
  });

  it("as a notification is passed over by whoever does not know it", async () => {
    const told: Parts = {
      beside: `export interface TickNotification extends Notification { method: "notifications/tick" }
        export type ServerNotification = TickNotification;`,
    };
    expect((await between({}, told))[0]).toBe("notifications/tick notification-added: compatible");
    expect((await between(told, {}))[0]).toBe("notifications/tick notification-removed: compatible");
  });

  it("that needs a capability now breaks an old side that never declared one", async () => {
    const capable = (members: string): Parts => ({
      beside: `export interface ServerCapabilities { ${members} } export interface ClientCapabilities {}`,
    });
    expect(await between(capable("other?: object"), capable("other?: object; notes?: object"))).toEqual([
      "notes/get capability-required: breaking: server receives",
      "ServerCapabilities notes optional-member-added: compatible",
    ]);
  });
});
