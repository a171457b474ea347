import { expect, it } from "vitest";
import { readSchema } from "../../src/api.js";
import type { Message } from "../../src/generator/ir/model.js";
import { iface, literal, member } from "../ir/schemas.js";
import { generated } from "./generated.js";

it("a table has the result of a request that is a task before its other kinds of results", async () => {
  const protocol = await readSchema("2026-07-28", { extensions: ["tasks"] });
  const withLater = (message: Message): Message => {
    if (message.kind !== "request" || message.method !== "tools/call")
      return message;
    const [first = "", ...others] = message.results;
    return { ...message, results: [first, "LaterResult", ...others] };
  };
  const later = iface(
    "LaterResult",
    ["Result"],
    [member("resultType", literal("later"))],
  );
  const { files } = generated([
    {
      ...protocol,
      declarations: [...protocol.declarations, later],
      messages: protocol.messages.map(withLater),
    },
  ]);
  const tables = files.get("dispatch.ts") ?? "";
  const kinds = [...tables.matchAll(/variants: \{([^}]*later[^}]*)\}/g)];
  expect(kinds.map(([, list = ""]) => list.match(/\w+(?=:)/g))).toEqual([
    ["task", "later"],
  ]);
});
