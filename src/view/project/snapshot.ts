import type { Entry, Snapshot } from "../../ir/snapshot/model.js";
import { assignment, type Code, code, jsonCode, literal, rowsCode } from "../typescript/code.js";

/** `snapshot.ts`: the lists of the server, unchanged. */
export interface SnapshotView {
  readonly server: Code;
  readonly capabilities: Code;
  /** `instructions: string | undefined = …` */
  readonly instructions: Code;
  readonly tools: Code;
  readonly prompts: Code;
  readonly resources: Code;
  readonly resourceTemplates: Code;
}

export function snapshotView(snapshot: Snapshot): SnapshotView {
  const list = (entries: readonly Entry[]): Code => jsonCode(entries.map(({ raw }) => raw));
  const tools = snapshot.tools.map(({ raw }) => jsonCode(raw));
  // Some servers send a number as their version, or none.
  const { name, version } = snapshot.server;
  const server = {
    ...snapshot.server,
    name: typeof name === "string" ? name : snapshot.name,
    version: typeof version === "string" ? version : "",
  };
  return {
    server: jsonCode(server),
    capabilities: jsonCode(snapshot.capabilities),
    instructions: assignment(
      code`instructions: string | undefined`,
      snapshot.instructions === null ? code`undefined` : literal(snapshot.instructions),
    ),
    tools: rowsCode(tools),
    prompts: list(snapshot.prompts),
    resources: list(snapshot.resources),
    resourceTemplates: list(snapshot.templates),
  };
}
