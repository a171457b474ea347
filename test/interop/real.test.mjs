import { mkdtempSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stdio } from "@mcpgen/runtime/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientQuestions, connect } from "../../generated/index.ts";

const require = createRequire(import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "mcpgen-real-"));
writeFileSync(join(folder, "story.txt"), "It was a dark and stormy night.\n");

/**
 * Third-party servers, and the tools that may answer the simplest arguments
 * with an error: one fetches a URL, others need a folder.
 */
const servers = [
  {
    name: "server-everything",
    args: ["stdio"],
    mayFail: ["gzip-file-as-resource"],
  },
  {
    name: "server-filesystem",
    args: [folder],
    mayFail: [
      "create_directory",
      "directory_tree",
      "get_file_info",
      "list_directory",
      "list_directory_with_sizes",
      "search_files",
    ],
  },
  { name: "server-memory", args: [], mayFail: [] },
  { name: "server-sequential-thinking", args: [], mayFail: [] },
];

function programOf(name) {
  const path = require.resolve(`@modelcontextprotocol/${name}/package.json`);
  const { bin } = require(path);
  return join(
    dirname(path),
    typeof bin === "string" ? bin : Object.values(bin)[0],
  );
}

/** The simplest value that a tool's schema allows. */
function valueOf(schema = {}, name = "") {
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return valueOf(schema.anyOf[0], name);
  switch ([schema.type].flat()[0]) {
    case "object":
      return Object.fromEntries(
        (schema.required ?? []).map((one) => [
          one,
          valueOf(schema.properties?.[one], one),
        ]),
      );
    case "array":
      return Array.from({ length: schema.minItems ?? 0 }, () =>
        valueOf(schema.items),
      );
    case "integer":
    case "number":
      return schema.minimum ?? 1;
    case "boolean":
      return false;
    case "null":
      return null;
    default:
      return /path|source|file/i.test(name) ? join(folder, "story.txt") : "a";
  }
}

describe.each(servers)(
  "our client with the third-party $name over stdio",
  ({ name, args, mayFail }) => {
    const faults = [];
    let client;
    beforeAll(async () => {
      client = await connect(
        stdio(process.execPath, [programOf(name), ...args], {
          stderr: "ignore",
        }),
        {
          info: { name: "interop", version: "1.0.0" },
          onError: (error) => faults.push(error),
          questions: clientQuestions,
          handlers: {
            "sampling/createMessage": () => ({
              model: "m",
              role: "assistant",
              content: { type: "text", text: "yes" },
            }),
            "roots/list": () => ({ roots: [{ uri: `file://${folder}` }] }),
            "elicitation/create": () => ({ action: "decline" }),
          },
        },
      );
    });
    afterAll(() => client?.close());

    it("agrees on a revision and gets the name of the server", () => {
      expect(client.revision).toMatch(/^20\d\d-\d\d-\d\d$/);
      expect(client.server.info.name).not.toBe("");
    });

    it("gets a valid result from every tool", async () => {
      const [succeeded, failed] = [[], []];
      for await (const tool of client.tools()) {
        if (tool.execution?.taskSupport === "required") continue;
        const result = await client.callTool({
          name: tool.name,
          arguments: valueOf(tool.inputSchema),
        });
        expect(Array.isArray(result.content)).toBe(true);
        (result.isError ? failed : succeeded).push(tool.name);
      }
      expect(failed.filter((name) => !mayFail.includes(name))).toEqual([]);
      expect(succeeded.length).toBeGreaterThan(0);
    });

    it("reads every resource and gets every prompt", async () => {
      const { resources, prompts } = client.server.capabilities;
      if (resources) {
        for await (const { uri } of client.resources()) {
          const { contents } = await client.readResource({ uri });
          expect(contents[0].uri).toBeDefined();
        }
      }
      if (prompts) {
        for await (const prompt of client.prompts()) {
          const args = Object.fromEntries(
            (prompt.arguments ?? []).map(({ name: one }) => [
              one,
              one === "resourceType" ? "Text" : "1",
            ]),
          );
          const got = await client.getPrompt({
            name: prompt.name,
            arguments: args,
          });
          expect(got.messages.length).toBeGreaterThan(0);
        }
      }
    });

    it("receives no message that the revision does not allow", () => {
      expect(faults).toEqual([]);
    });
  },
);
