import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildGuide } from "../code/guide.mjs";
import { clients } from "./peers.mjs";

let folder;
beforeAll(async () => {
  folder = await buildGuide();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const eras = [
  { revision: "2025-11-25", opening: "initialize" },
  { revision: "2026-07-28", opening: "per-request" },
];
const rows = clients.flatMap((peer) =>
  eras
    .filter((facts) => peer.speaks(facts))
    .map((facts) => ({
      name: peer.name,
      revision: facts.revision,
      peer,
      facts,
    })),
);

describe.each(rows)("$name in $revision", ({ peer, facts }) => {
  it("finds a tool of the server of the guide on code mode, and runs a program after its user has allowed a call", async () => {
    const asked = [];
    // It starts its own servers in its folder.
    const where = { command: [process.execPath, "serve.mjs"], cwd: folder };
    const client = await peer.open(where, facts, {
      elicit({ message }) {
        asked.push(message);
        return { action: "accept", content: { all: false } };
      },
    });
    const call = async (name, args) =>
      (await client.callTool({ name, arguments: args })).content[0].text;
    expect(await call("search_tools", { words: "mail" })).toContain(
      "mail.sendMail(",
    );
    const program =
      "return (await mail.sendMail({ to: 'ada', text: 'hello' })).text;";
    expect(await call("run_code", { program })).toBe('Value: "To ada: hello"');
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain("mail.sendMail");
    await client.close();
  });
});
