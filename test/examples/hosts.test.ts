import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readClientFile } from "../../src/cli/clients/files.js";
import { directory } from "../cli/support.js";
import { root } from "../repository.js";
import { examples } from "./kit/pages.js";

const page = readFileSync(join(examples, "hosts/README.md"), "utf8");

/**
 * The sections with a file in JSON: the path that the text names first, and the
 * file.
 */
const hosts = [
  ...page.matchAll(
    /^## ([^:\n]+).*\n\nThe file `([^`]+)`(?:(?!\n## )[^])*?\n```json\n([^]*?)^```$/gm,
  ),
].map(([, host = "", file = "", text = ""]) => ({ host, file, text }));

describe("the page on hosts", () => {
  it("has the file of each host in JSON", () => {
    expect(hosts.map(({ host }) => host)).toEqual([
      "Claude Code",
      "Claude Desktop",
      "VS Code",
      "Cursor",
      "Gemini CLI",
    ]);
  });

  it.each(hosts)(
    "has a file for $host that mcpgen reads as a command and a URL",
    async ({ host, file, text }) => {
      const { entries, diagnostics } = await readClientFile(
        directory({ [file]: text }),
        file,
      );
      expect(diagnostics).toEqual([]);
      const found = entries.map((entry) => [
        entry.name,
        entry.kind === "stdio" ? entry.command : entry.url,
      ]);
      const remote =
        host === "Claude Desktop"
          ? []
          : [["remote", "https://mcp.example.com/mcp"]];
      expect(found).toEqual([["weather", "node"], ...remote]);
    },
  );
});

describe("the page on containers", () => {
  it("has the Dockerfile that mcpgen init --server writes", () => {
    const text = readFileSync(join(examples, "containers/README.md"), "utf8");
    const [, shown] = /^```dockerfile\n([^]*?)^```$/m.exec(text) ?? [];
    const path = join(root, "templates/init/server/Dockerfile");
    expect(shown).toBe(readFileSync(path, "utf8"));
  });
});
