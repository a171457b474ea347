import { describe, expect, it } from "vitest";
import { between, type Parts } from "./between.js";

const messages = (
  list: string,
  sender: string,
  result = "EmptyResult",
): Parts => ({
  beside: `export interface ListRequest extends Request { ${list} }
    ${result === "EmptyResult" ? "" : `export interface ListResult extends Result { ${result} }`}
    ${sender}`,
});
const list = 'method: "notes/list"';
const byServer = "export type ServerRequest = ListRequest;";

describe("the comparison of messages", () => {
  it.each([
    [
      "reports a new request as compatible, and its declaration and union beside it",
      {},
      messages(list, byServer),
      [
        "notes/list request-added: compatible",
        "ListRequest type-added: neither",
        "ServerRequest type-added: neither",
      ],
    ],
    [
      "reports that a removed request breaks its sender",
      messages(list, byServer),
      {},
      [
        "notes/list request-removed: breaking: server sends",
        "ListRequest type-removed: neither",
        "ServerRequest type-removed: neither",
      ],
    ],
    [
      "reports that params that become required break the sender",
      messages(`${list}; params?: { a?: string }`, byServer),
      messages(`${list}; params: { a?: string }`, byServer),
      ["notes/list params member-made-required: breaking: server sends"],
    ],
    [
      "reports that a new required member of a result breaks the side that answers",
      messages(list, byServer, "a: string"),
      messages(list, byServer, "a: string; b: string"),
      ["ListResult b required-member-added: breaking: client sends"],
    ],
  ])("%s", async (_, was, is, want) => {
    expect(await between(was, is)).toEqual(want);
  });

  it("reports that a removed sender breaks that side, and a new sender breaks nobody", async () => {
    const either: Parts = {
      beside: "export type ServerRequest = GetNoteRequest;",
    };
    expect(await between(either, {})).toContain(
      "notes/get sender-removed: breaking: server sends",
    );
    expect(await between({}, either)).toContain(
      "notes/get sender-added: compatible",
    );
  });

  it("reports that a request that becomes embedded in results breaks both sides", async () => {
    const sender = (union: string): Parts =>
      messages(list, `export type ${union} = ListRequest;`);
    expect(
      await between(sender("ServerRequest"), sender("InputRequest")),
    ).toContain(
      "notes/list carriage-changed: breaking: client receives, server sends",
    );
  });

  it("reports a new or removed notification as compatible", async () => {
    const notifying: Parts = {
      beside: `export interface TickNotification extends Notification { method: "notifications/tick" }
        export type ServerNotification = TickNotification;`,
    };
    expect((await between({}, notifying))[0]).toBe(
      "notifications/tick notification-added: compatible",
    );
    expect((await between(notifying, {}))[0]).toBe(
      "notifications/tick notification-removed: compatible",
    );
  });

  it.each([
    ['mode: "url"; url: string', "compatible"],
    ['mode: "other"; url: string', "breaking: client receives"],
    ["url: string", "breaking: client receives"],
  ])(
    "reports new params as compatible only if a client that does not know them never gets them: { %s }",
    async (members, impact) => {
      const asking = (params: string): Parts => ({
        beside: `export interface ClientCapabilities { elicitation?: { form?: object; url?: object } }
          export interface Form { mode: "form"; message: string }
          export interface Note { mode: "form"; note: string }
          export interface Added { ${members} }
          export interface ElicitRequest extends Request { method: "elicitation/create"; params: ${params} }
          export interface ElicitResult extends Result { action: string }
          export type ServerRequest = ElicitRequest;`,
      });
      const got = await between(
        asking("Form | Note"),
        asking("Form | Note | Added"),
      );
      expect(got).toEqual([
        `elicitation/create params alternative-added: ${impact}`,
      ]);
    },
  );

  it("reports new params as compatible if a client gets them with one of several values only if it declares a capability", async () => {
    const asking = (params: string): Parts => ({
      beside: `export interface ClientCapabilities { elicitation?: { form?: object; url?: object } }
        export interface Form { mode: "form"; message: string }
        export interface Url { mode: "url"; url: string }
        export interface Link { mode: "url"; link: string }
        export interface ElicitRequest extends Request { method: "elicitation/create"; params: ${params} }
        export interface ElicitResult extends Result { action: string }
        export type ServerRequest = ElicitRequest;`,
    });
    expect(
      await between(asking("Url | Link"), asking("Url | Link | Form")),
    ).toContain("elicitation/create params alternative-added: compatible");
  });

  it("reports that a new capability breaks an old side that does not declare it", async () => {
    const capable = (members: string): Parts => ({
      beside: `export interface ServerCapabilities { ${members} } export interface ClientCapabilities {}`,
    });
    expect(
      await between(
        capable("other?: object"),
        capable("other?: object; notes?: object"),
      ),
    ).toEqual([
      "notes/get capability-required: breaking: server receives",
      "ServerCapabilities notes optional-member-added: compatible",
    ]);
  });
});
