import { describe, expect, it } from "vitest";
import type {
  Capability,
  Message,
  Protocol,
  RequestMessage,
} from "../../src/generator/ir/model.js";
import { revision } from "../read/typescript/reading.js";
import { oracle } from "./oracle.js";

describe.each(oracle)("revision $revision", (want) => {
  it("has the opening, batches and headers of its specification page on transports", async () => {
    const { opening, batches, idlessErrors, primedStreams, headers } =
      await revision(want.revision);
    expect({ opening, batches, idlessErrors, primedStreams, headers }).toEqual({
      opening: want.opening,
      batches: want.batches,
      idlessErrors: want.idlessErrors,
      primedStreams: want.primedStreams,
      headers: want.headers,
    });
  });

  it("has the error code of an unknown resource of its specification page on resources", async () => {
    expect((await revision(want.revision)).errors).toEqual({
      RESOURCE_NOT_FOUND: want.resourceNotFound,
    });
  });

  it("has the requests of its specification, each with its sender, results, capability and marks", async () => {
    const requests = (await messages(want.revision)).filter(
      (message) => message.kind === "request",
    );
    const got = requests.map((message) => [
      message.method,
      message.sender,
      message.results.join(" "),
      capabilityText(message.capability),
      marksOf(message),
    ]);
    expect(got.sort(byMethod)).toEqual([...want.requests].sort(byMethod));
  });

  it("has the notifications of its specification, each with its sender, capability and marks", async () => {
    const notifications = (await messages(want.revision)).filter(
      (message) => message.kind === "notification",
    );
    const got = notifications.map((message) => [
      message.method,
      message.sender,
      capabilityText(message.capability),
      marksOf(message),
    ]);
    expect(got.sort(byMethod)).toEqual([...want.notifications].sort(byMethod));
  });

  it("lists its messages in the order of their declarations", async () => {
    const protocol = await revision(want.revision);
    const order = protocol.declarations.map(({ name }) => name);
    const places = protocol.messages.map(({ name }) => order.indexOf(name));
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });
});

describe("the items of a page", () => {
  it.each([
    ["prompts/list", "prompts"],
    ["resources/list", "resources"],
    ["resources/templates/list", "resourceTemplates"],
    ["tools/list", "tools"],
    ["tasks/list", "tasks"],
    ["roots/list", null],
  ])("of %s are in the member %s", async (method, items) => {
    const match = (await messages("2025-11-25")).find(
      (message) => message.method === method,
    ) as RequestMessage;
    expect(match.items).toBe(items);
  });
});

describe("revision 2026-07-28", () => {
  it("repeats the name or the URI of three requests in a header", async () => {
    const named = (await messages("2026-07-28")).flatMap((message) =>
      message.kind === "request" && message.headerMember !== null
        ? [[message.method, message.headerMember]]
        : [],
    );
    expect(named).toEqual([
      ["resources/read", "uri"],
      ["prompts/get", "name"],
      ["tools/call", "name"],
    ]);
  });

  it("reserves seven keys of _meta", async () => {
    expect((await revision("2026-07-28")).meta).toEqual({
      progressToken: "progressToken",
      protocolVersion: "io.modelcontextprotocol/protocolVersion",
      clientInfo: "io.modelcontextprotocol/clientInfo",
      clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
      logLevel: "io.modelcontextprotocol/logLevel",
      serverInfo: "io.modelcontextprotocol/serverInfo",
      subscriptionId: "io.modelcontextprotocol/subscriptionId",
    });
  });
});

describe("a legacy revision", () => {
  it.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
    "%s reserves the progress token, has no engine defaults and repeats nothing in headers",
    async (name) => {
      const protocol = await revision(name);
      const hasTasks = protocol.wellKnown.taskResult !== undefined;
      expect(protocol.meta).toEqual({
        progressToken: "progressToken",
        ...(hasTasks && {
          relatedTask: "io.modelcontextprotocol/related-task",
        }),
      });
      expect(protocol.engineDefaults).toEqual([]);
      expect(
        requestsOf(protocol).every(({ headerMember }) => headerMember === null),
      ).toBe(true);
    },
  );
});

async function messages(name: string): Promise<readonly Message[]> {
  return (await revision(name)).messages;
}

function requestsOf(protocol: Protocol): RequestMessage[] {
  return protocol.messages.filter((message) => message.kind === "request");
}

function capabilityText(capability: Capability | null): string | null {
  return capability === null ? null : `${capability.side} ${capability.path}`;
}

function marksOf(message: Message): string {
  const marks =
    message.kind === "notification"
      ? []
      : [
          message.items === null ? "" : "P",
          message.cancellable ? "C" : "",
          message.cacheable ? "K" : "",
          message.asksInput ? "A" : "",
          message.carriage === "embedded" ? "E" : "",
        ];
  return [...marks, message.deprecated ? "D" : ""].join("");
}

function byMethod(a: readonly unknown[], b: readonly unknown[]): number {
  return String(a[0]) < String(b[0]) ? -1 : 1;
}
