import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { observer } from "@mcpgen/runtime";
import { telemetry } from "@mcpgen/runtime/telemetry";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { programForNode } from "../sources.js";
import { join as joined, type Json, revisions, text } from "./kit/index.js";

// With the SDK of OpenTelemetry: test/interop/telemetry.test.mjs.
describe("telemetry", () => {
  it("rejects with a sentence that names the package that is missing, and not when the bundle contains it", async () => {
    const place = mkdtempSync(join(tmpdir(), "mcpgen-telemetry-"));
    const outfile = join(place, "program.mjs");
    const contents = `import { telemetry } from "@mcpgen/runtime/telemetry"; await telemetry(); console.error("ready");`;
    const run = async (external: readonly string[]): Promise<string> => {
      const stdin = { contents, resolveDir: import.meta.dirname };
      await build({
        ...programForNode,
        stdin,
        outfile,
        external: [...external],
      });
      return spawnSync(process.execPath, [outfile], {
        encoding: "utf8",
        cwd: place,
      }).stderr;
    };
    try {
      expect(await run(["@opentelemetry/api"])).toContain(
        "TypeError: telemetry: it needs the package @opentelemetry/api, which could not be loaded. Install @opentelemetry/api@1.9.",
      );
      expect(await run([])).toBe("ready\n");
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  });

  it.each(revisions)(
    "changes nothing in $revision in a program that has not started the SDK",
    async ({ protocol }) => {
      let seen: Json = {};
      const observe = observer(await telemetry());
      const call = (params: Json): Json => {
        seen = params;
        return text("done");
      };
      const { client } = await joined(protocol, {
        server: { handlers: { "tools/call": call }, observe },
        client: { observe },
      });
      const traceparent =
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
      expect(await client.callTool({ name: "x" })).toMatchObject(text("done"));
      expect(Object.keys((seen["_meta"] ?? {}) as Json)).not.toContain(
        "traceparent",
      );
      await client.callTool({ name: "x" }, { meta: { traceparent } });
      expect(seen["_meta"]).toMatchObject({ traceparent });
      await client.close();
    },
  );
});
