import type { Entry, Snapshot, Tool } from "../../ir/snapshot/model.js";
import {
  assignment,
  type Code,
  code,
  jsonCode,
  literal,
  objectCode,
  propertyKey,
  rowsCode,
} from "../typescript/code.js";
import { isShown } from "./json-schemas.js";
import type { ProjectNaming } from "./naming.js";

/** `snapshot.ts`: the lists of the server, unchanged. */
export interface SnapshotView {
  readonly server: Code;
  readonly capabilities: Code;
  /** `instructions: string | undefined = …` */
  readonly instructions: Code;
  readonly tools: Code;
  /** True if a tool refers to a schema of `json-schemas.ts`. */
  readonly hasSchemas: boolean;
  readonly prompts: Code;
  readonly resources: Code;
  readonly resourceTemplates: Code;
}

export function snapshotView(snapshot: Snapshot, naming: ProjectNaming): SnapshotView {
  const list = (entries: readonly Entry[]): Code => jsonCode(entries.map(({ raw }) => raw));
  const tools = snapshot.tools.map((tool) => toolCode(tool, naming));
  return {
    server: jsonCode(snapshot.server),
    capabilities: jsonCode(snapshot.capabilities),
    instructions: assignment(
      code`instructions: string | undefined`,
      snapshot.instructions === null ? code`undefined` : literal(snapshot.instructions),
    ),
    tools: rowsCode(tools),
    hasSchemas: snapshot.tools.some(
      ({ output, raw }) => isShown(raw["inputSchema"]) || (output !== null && isShown(raw["outputSchema"])),
    ),
    prompts: list(snapshot.prompts),
    resources: list(snapshot.resources),
    resourceTemplates: list(snapshot.templates),
  };
}

/** A tool as the server lists it, with the schemas of `json-schemas.ts`. */
function toolCode({ input, output, raw }: Tool, naming: ProjectNaming): Code {
  const keys: Readonly<Record<string, string | null>> = { inputSchema: input, outputSchema: output };
  return objectCode(
    Object.entries(raw).map(([member, value]) => {
      const key = Object.hasOwn(keys, member) ? keys[member] : undefined;
      const isNamed = typeof key === "string" && isShown(value);
      return [propertyKey(member), isNamed ? code`s.${naming.jsonSchema(key)}` : jsonCode(value)] as const;
    }),
  );
}
