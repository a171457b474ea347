import { createHash } from "node:crypto";
import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryPair, serve } from "@mcpgen/runtime";
import type { SkillClient, SkillEntry } from "@mcpgen/runtime/skills";
import { afterTest } from "../kit/closing.js";
import { extended } from "../kit/extended.js";
import {
  type AnyClient,
  type AnyHandlers,
  info,
  type Json,
  makeClient,
  type Revision,
  type ServerOptions,
} from "../kit/index.js";

/** A folder for what a test writes. */
export const scratch: string = realpathSync(
  mkdtempSync(join(tmpdir(), "mcpgen-skills-")),
);

const generated = await extended(
  ["2025-06-18", "2025-11-25", "2026-07-28"],
  "skills",
);
const all = generated.revisions;
/** The revisions that have the extension, and the one before them. */
export const withSkills: readonly Revision[] = all.filter(
  ({ revision }) => revision > "2025-06-18",
);
export const [before] = all.filter(
  ({ revision }) => revision === "2025-06-18",
) as [Revision];
export const [newest] = withSkills.filter(({ isModern }) => isModern) as [
  Revision,
];

/** The key under which a server declares the extension. */
export const id = "io.modelcontextprotocol/skills";

/** A generated client, with the methods of the extension. */
export type Client = AnyClient &
  SkillClient & {
    listSkills(params?: Json): Promise<Json>;
    readResourceDirectory(params: Json): Promise<Json>;
    listResources(params?: Json): Promise<Json>;
    listResourceTemplates(params?: Json): Promise<Json>;
  };

/**
 * A client of a server with these handlers, and the methods that the server has
 * received.
 */
export async function connect(
  handlers: object,
  { protocol }: Revision = newest,
  options: Omit<ServerOptions, "handlers"> = {},
): Promise<{ client: Client; received: string[] }> {
  const servers = generated.createServers({
    info,
    ...options,
    handlers: handlers as AnyHandlers,
  });
  const [clientTransport, serverTransport] = memoryPair();
  const received: string[] = [];
  const { send } = clientTransport;
  clientTransport.send = (message, ...rest) => {
    const { method, params } = message as {
      method?: string;
      params?: { uri?: string };
    };
    if (method !== undefined)
      received.push([method, params?.uri].filter(Boolean).join(" "));
    return send.call(clientTransport, message, ...rest);
  };
  await serve(serverTransport, servers);
  const client = (await makeClient(protocol, clientTransport)) as Client;
  afterTest(() => client.close());
  return { client, received };
}

/** The text of a `SKILL.md`. */
export const skillText = (
  name: string,
  more = "",
  body = `How to ${name}.\n`,
): string =>
  `---\nname: ${name}\ndescription: Explains ${name}.\n${more}---\n\n${body}`;

export const digestOf = (content: string | Uint8Array): string =>
  `sha256:${createHash("sha256").update(content).digest("hex")}`;

/** The entry of a skill with these files, as a server lists it. */
export function entryOf(
  name: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): SkillEntry {
  return {
    uri: `skill://${name}/SKILL.md`,
    frontmatter: { name, description: `Explains ${name}.` },
    resources: Object.entries(files).map(([path, content]) => ({
      uri: `skill://${name}/${path}`,
      digest: digestOf(content),
      size: Buffer.byteLength(content),
    })),
  };
}

/**
 * Handlers of a server that says what a test wants: entries, and contents by
 * URI.
 */
export const scripted = (
  entries: readonly SkillEntry[],
  contents: Readonly<Record<string, string | Uint8Array | object>>,
): object => ({
  "skills/list": () => ({ skills: entries, ttlMs: 0, cacheScope: "private" }),
  "skills/get": ({ uri }: { uri: string }) => ({
    skill: entries.find((entry) => entry.uri === uri) ?? entries[0],
    ttlMs: 0,
    cacheScope: "private",
  }),
  "resources/list": () => ({ resources: [] }),
  "resources/read": ({ uri }: { uri: string }) => {
    const content = contents[uri];
    if (content instanceof Uint8Array)
      return {
        contents: [{ uri, blob: Buffer.from(content).toString("base64") }],
      };
    return typeof content === "string"
      ? { contents: [{ uri, text: content }] }
      : content;
  },
});
