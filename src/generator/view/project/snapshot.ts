import type { Entry, JsonRecord, Snapshot } from "../../ir/snapshot/model.js";
import {
  assignment,
  type Code,
  code,
  jsonCode,
  literal,
  rowsCode,
} from "../typescript/code.js";
import { docComment } from "../typescript/doc.js";

/** `snapshot.ts`: the lists of the server, unchanged. */
interface SnapshotView {
  readonly server: Code;
  readonly capabilities: Code;
  /** `instructions: string | undefined = …` */
  readonly instructions: Code;
  /** The lists of the server: `tools`, with what the server lists. */
  readonly lists: readonly {
    readonly doc: Code | null;
    readonly name: Code;
    readonly entries: Code;
  }[];
}

export function snapshotView(snapshot: Snapshot): SnapshotView {
  const list = (
    what: string,
    name: Code,
    entries: readonly Entry[],
    print = jsonCode,
  ) => ({
    doc: docComment([`The ${what} as the server lists them.`]),
    name,
    entries: print(entries.map(({ raw }) => raw)),
  });
  // Some servers send a number as their version, or none.
  const { name, version } = snapshot.server;
  const server = {
    ...snapshot.server,
    name: typeof name === "string" ? name : snapshot.name,
    version: typeof version === "string" ? version : "",
  };
  const lists = [
    list("tools", code`tools`, snapshot.tools, (tools) =>
      rowsCode((tools as JsonRecord[]).map(jsonCode)),
    ),
    list("prompts", code`prompts`, snapshot.prompts),
    list("resources", code`resources`, snapshot.resources),
    list("resource templates", code`resourceTemplates`, snapshot.templates),
  ];
  return {
    server: jsonCode(server),
    capabilities: jsonCode(snapshot.capabilities),
    instructions: assignment(
      code`instructions: string | undefined`,
      snapshot.instructions === null
        ? code`undefined`
        : literal(snapshot.instructions),
    ),
    lists,
  };
}
