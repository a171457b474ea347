import { existsSync } from "node:fs";
import { join as path } from "node:path";
import { memoryPair, serve, type SideTable } from "@mcpgen/runtime";
import {
  appTools,
  apps,
  readView,
  uiResource,
  uiTool,
} from "@mcpgen/runtime/apps";
import { resources, tools } from "@mcpgen/runtime/features";
import { listSkills, loadSkill, skills } from "@mcpgen/runtime/skills";
import { tasks } from "@mcpgen/runtime/tasks";
import { beforeAll, describe, expect, it } from "vitest";
import { runHere } from "../cli/support.js";
import {
  all,
  type Generated,
  type Handlers,
  info,
  joined,
  outFolder,
  read,
  write,
} from "../made-up/made-up.js";
import { root } from "../repository.js";
import type { Json } from "../runtime/kit/messages.js";
import { Wire } from "../runtime/kit/wire.js";
import { mergedText } from "./merged.js";

const revision = "2026-07-28";
const schemaOf = (folder: string): string =>
  path(root, "schema", folder, "schema.ts");

/** What was generated, and the text of its files without their first lines. */
interface Output {
  readonly sides: Generated & { readonly serverSide: SideTable };
  text(file: string): string;
}

async function generate(...args: string[]): Promise<Output> {
  const out = outFolder();
  const { code, err } = await runHere([...args, "--out", out, "--quiet"], root);
  if (code !== 0) throw new Error(err);
  return {
    sides: (await import(path(out, "index.ts"))) as Output["sides"],
    text: (file) => read(path(out, file)).replace(/^(?:\/\/.*\n)*/, ""),
  };
}

/** The rows of a side without what only an extension has. */
function rowsOf(side: SideTable): unknown {
  const asText = JSON.stringify(side, (key, value: unknown) => {
    if (["needs", "needsOf", "extension", "declaredBy"].includes(key))
      return undefined;
    if (key === "variants") return Object.keys(value as object);
    return typeof value === "function" ? "a guard" : value;
  });
  return JSON.parse(asText);
}

/** A conversation of a client and a server, as what each of them has seen. */
type Conversation = (sides: Generated) => Promise<unknown>;

const form = {
  message: "How many?",
  requestedSchema: { type: "object", properties: { n: { type: "number" } } },
};

const withTasks: Conversation = async (sides) => {
  const seen: unknown[] = [];
  const bake = {
    name: "bake",
    execution: { taskSupport: "required" },
    handler: async (_: unknown, context: never) => {
      const { request } = context as {
        request: (...args: unknown[]) => unknown;
      };
      const answer = await request("elicitation/create", form);
      return JSON.stringify(answer);
    },
  };
  const server = { ...tools([bake as never]), ...tasks({ pollInterval: 5 }) };
  const { client } = await joined(sides, server as never, {
    client: {
      ...tasks({
        onTask: ({ kind, status }) => seen.push([kind, status]),
      }),
      "elicitation/create": () => ({ action: "accept", content: { n: 3 } }),
    } as never,
  });
  seen.push(await client["callTool"]?.({ name: "bake", arguments: {} }));
  await client.close();
  seen.push(await updated(sides, server as never));
  return JSON.parse(JSON.stringify(seen).replaceAll(/"\d{4}-.*?Z"/g, '""'));
};

/**
 * Starts a task and answers it with raw messages; one of the answers is
 * malformed.
 */
async function updated(
  { clientSide, createServer, serverQuestions }: Generated,
  handlers: Handlers,
): Promise<unknown> {
  const [clientTransport, serverTransport] = memoryPair();
  await serve(
    serverTransport,
    createServer({ info, handlers, questions: serverQuestions }),
  );
  const wire = new Wire(clientTransport);
  const id = "io.modelcontextprotocol";
  const ask = async (method: string, params: Json): Promise<Json> => {
    const _meta = {
      [`${id}/protocolVersion`]: clientSide.revision.revision,
      [`${id}/clientCapabilities`]: {
        elicitation: { form: {} },
        extensions: { [`${id}/tasks`]: {} },
      },
    };
    return (await wire.ask(1, method, { ...params, _meta }))["result"] as Json;
  };
  const { taskId } = await ask("tools/call", { name: "bake", arguments: {} });
  let state: Json = {};
  while (state["status"] !== "input_required")
    state = await ask("tasks/get", { taskId });
  const [key = ""] = Object.keys(state["inputRequests"] as Json);
  const answer = { action: "accept", content: { n: 4 } };
  const inputResponses = { [key]: answer, other: 5 };
  const update = await ask("tasks/update", { taskId, inputResponses });
  while (state["status"] !== "completed")
    state = await ask("tasks/get", { taskId });
  return [update, state["result"]];
}

const withApps: Conversation = async (sides) => {
  const uri = "ui://weather/view.html";
  const handlers = {
    ...tools([
      uiTool({ name: "sun", handler: () => "it shines" }, { resourceUri: uri }),
    ]),
    ...resources([
      uiResource({ uri, name: "view", read: () => "<title>Sun</title>" }),
    ]),
    ...apps(),
  };
  const seen: unknown[] = [];
  for (const client of [apps(), {}]) {
    const { client: host } = await joined(sides, handlers as never, {
      client: client as never,
    });
    const listed = await all(host["tools"]?.() as AsyncIterable<Json>);
    seen.push(host.server.capabilities, listed, appTools(listed));
    seen.push(await host["listResources"]?.());
    seen.push(await readView(host as never, uri as never));
    await host.close();
  }
  return seen;
};

const withSkills: Conversation = async (sides) => {
  const text =
    "---\nname: sew\ndescription: How to sew.\n---\n\nThread first.\n";
  const content: Readonly<Record<string, string>> = {
    "SKILL.md": text,
    "data/a.md": "a",
  };
  const handlers = skills([
    {
      path: "sew",
      dynamic: true,
      read: (file: string) => content[file],
      list: () => Object.keys(content),
    },
  ]);
  const { client } = await joined(sides, handlers as never);
  const entries = await all(listSkills(client as never));
  const skill = await loadSkill(client as never, "skill://sew/SKILL.md");
  const seen = [
    client.server.capabilities["extensions" as never],
    entries,
    await skill.read("data/a.md"),
    await skill.directory("data"),
  ];
  await client.close();
  return seen;
};

describe.each([
  ["tasks", withTasks],
  ["apps", withApps],
  ["skills", withSkills],
] as const)(
  "the extension %s, written into the schema of the revision itself",
  (name, converse) => {
    let extended: Output;
    let own: Output;
    let schema: string;
    beforeAll(async () => {
      const path = schemaOf(`extensions/${name}`);
      const additions = path.replace("schema.ts", "additions.ts");
      const text = read(path) + (existsSync(additions) ? read(additions) : "");
      schema = write(
        `${name}/${revision}/schema.ts`,
        mergedText(read(schemaOf(revision)), text),
      );
      extended = await generate("--version", revision, "--extension", name);
      own = await generate("--schema", schema);
    });

    it.each(["types.ts", "validators.ts"])(
      "has the same %s as the revision with the extension",
      (file) => {
        expect(own.text(file)).toBe(extended.text(file));
      },
    );

    it("has the same rows, but for the extension that they need", () => {
      for (const side of ["clientSide", "serverSide"] as const)
        expect(rowsOf(own.sides[side])).toEqual(rowsOf(extended.sides[side]));
    });

    it("lets a client and a server have the same conversation", async () => {
      const expected = await converse(extended.sides);
      expect(await converse(own.sides)).toEqual(expected);
      expect(JSON.stringify(expected)).not.toContain("Error");
    });

    it("lets them have it also if the schema is read from JSON", async () => {
      const { out } = await runHere(["ir", schema], root);
      const { $schema, $defs } = JSON.parse(out, (key, value: unknown) =>
        key.startsWith("mcpgen:") ? undefined : value,
      ) as Json;
      const json = write(
        `${name}/json/schema.json`,
        JSON.stringify({ $schema, $defs }),
      );
      const { sides } = await generate(
        "--schema",
        json,
        "--revision",
        revision,
      ).catch(() => generate("--schema", json));
      expect(await converse(sides)).toEqual(await converse(extended.sides));
    });
  },
);
