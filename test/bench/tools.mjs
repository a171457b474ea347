// Snapshots of a server with any number of tools, which repeat the tools of two
// real servers.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { revision, root } from "./shared.mjs";

const real = ["everything", "filesystem"].flatMap(
  (name) =>
    JSON.parse(
      readFileSync(
        join(root, `test/examples/servers/${name}.mcp.json`),
        "utf8",
      ),
    ).tools,
);

/**
 * A tool by its number. It has a unique member, so that no two schemas are the
 * same.
 */
export function tool(i) {
  const { name, inputSchema, ...rest } = real[i % real.length];
  const own = {
    [`option_${i}`]: { type: "string", description: `Option number ${i}.` },
  };
  const properties = { ...inputSchema.properties, ...own };
  return {
    ...rest,
    name: `${name}_${i}`,
    inputSchema: { ...inputSchema, properties },
  };
}

/**
 * The text of a snapshot with `count` tools. With `described`, another tool has
 * a description of that many characters.
 */
export function snapshot(count, described = 0) {
  const sentence =
    "This sentence is one of many that a long description repeats, word for word. ";
  const more = sentence
    .repeat(Math.ceil(described / sentence.length))
    .slice(0, described);
  const tools = Array.from({ length: count }, (_, i) => tool(i));
  if (described > 0)
    tools.push({ ...tool(count), name: "long", description: more });
  return JSON.stringify({
    format: 1,
    revision,
    server: { name: "bench", version: "1.0.0" },
    capabilities: { tools: {} },
    tools,
  });
}
