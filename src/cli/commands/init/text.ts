import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../../config.js";
import { packageRoot } from "../../../sources/package.js";

/** The text of a file in `templates/init/` with a value in place of each `<name>`. */
export async function filledFile(name: string, values: Readonly<Record<string, string>>): Promise<string> {
  const text = await readFile(join(packageRoot(), "templates/init", name), "utf8");
  return text.replace(/<(\w+)>/g, (_, key: string) => {
    const value = values[key];
    if (value === undefined) throw new Error(`templates/init/${name} has no value for <${key}>.`);
    return value;
  });
}

/** Text as it is written between the quotation marks of a literal of JSON, TypeScript or YAML. */
export const inLiteral = (text: string): string => JSON.stringify(text).slice(1, -1);

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

/** The line of a report on a file that `replaceMissing` was called for. */
export const fileLine = (file: string, isWritten: boolean): string =>
  `${file}: ${isWritten ? "written" : "exists, not changed"}\n`;
