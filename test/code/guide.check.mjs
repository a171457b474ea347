import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { mcpgen } from "../cli/support.ts";
import { programsOf } from "../examples/kit/pages.ts";
import { root } from "../repository.ts";
import { buildGuide, guide } from "./guide.mjs";

const page = readFileSync(join(guide, "README.md"), "utf8");
const printing = programsOf(page).filter(({ output }) => output !== undefined);

// Each program starts several processes and compilers.
vi.setConfig({ testTimeout: 300_000 });

let folder;
beforeAll(async () => {
  folder = await buildGuide();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the guide on code mode", () => {
  it("has a client and a host that print something", () => {
    expect(printing.map(({ file }) => file)).toEqual(["client.ts", "host.ts"]);
  });

  it.each(printing)("prints what it says: $file", ({ file, output }) => {
    const program = file.replace(/\.ts$/, ".mjs");
    const printed = execFileSync(process.execPath, [program], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(printed).toBe(output);
  });

  it("has a server that mcpgen calls by the entry of a host that another guide shows", async () => {
    const hosts = readFileSync(
      join(root, "test/examples/hosts/README.md"),
      "utf8",
    );
    const [, json] = /^```json\n([^`]*"agent"[^]*?)^```$/m.exec(hosts) ?? [];
    const entry = JSON.stringify({
      command: process.execPath,
      args: ["serve.mjs"],
    });
    writeFileSync(
      join(folder, ".mcp.json"),
      json.replace(
        /\{ "command": "npx", "args": \["tsx", "serve.ts"\] \}/,
        entry,
      ),
    );
    const call = (...words) =>
      mcpgen(["call", "agent", ...words], { directory: folder });
    const found = await call("search_tools", "words=send mail");
    expect(found.out).toContain("mail.sendMail(");
    const ran = await call(
      "run_code",
      "program=return (await shop.listOrders({})).ids.length;",
    );
    expect(ran.out).toBe("Value: 3\n");
    // mcpgen call declines questions.
    const refused = await call(
      "run_code",
      "program=return await mail.sendMail({ to: 'a', text: 'b' });",
    );
    expect([refused.code, refused.err + refused.out]).toEqual([
      1,
      expect.stringContaining("nobody allowed it"),
    ]);
  });
});
