import type { Config } from "../../../config.js";

/** The text of a configuration file. Names from a client's file are data: they only appear in literals. */
export function configText(config: Config, path: string): string {
  if (path.endsWith(".json")) {
    const whole = { $schema: "./node_modules/mcpgen/dist/config.schema.json", ...config };
    return `${JSON.stringify(whole, null, 2)}\n`;
  }
  return `import { defineConfig } from "mcpgen";\n\nexport default defineConfig(${literal(config, "")});\n`;
}

/** JSON as TypeScript would write it. */
export function literal(value: unknown, indent: string): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item === "string"))
      return `[${value.map((item) => JSON.stringify(item)).join(", ")}]`;
    const items = (value as readonly unknown[]).map((item) => `${inner}${literal(item, inner)},\n`);
    return `[\n${items.join("")}${indent}]`;
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${name}: ${literal(member, inner)}`);
  const line = `{ ${members.join(", ")} }`;
  const isShort = indent.length + line.length <= 78 && !line.includes("\n");
  return isShort ? line : `{\n${members.map((member) => `${inner}${member},\n`).join("")}${indent}}`;
}
