import type { Entry, Surface, Tool } from "../../ir/surface/model.js";
import {
  arrayCode,
  assigned,
  type Code,
  code,
  jsonCode,
  literal,
  objectCode,
  propertyKey,
  rowsCode,
} from "../typescript/code.js";
import { isShown } from "./json-schemas.js";
import type { SurfaceNaming } from "./naming.js";

/** `surface.ts`: what the server lists, as it lists it. */
export interface SurfaceView {
  readonly server: Code;
  readonly capabilities: Code;
  /** `instructions: string | undefined = …` */
  readonly instructions: Code;
  readonly tools: Code;
  /** Does a tool refer to a schema of `json-schemas.ts`? */
  readonly hasSchemas: boolean;
  readonly prompts: Code;
  readonly resources: Code;
  readonly resourceTemplates: Code;
}

export function surfaceView(surface: Surface, naming: SurfaceNaming): SurfaceView {
  const list = (entries: readonly Entry[]): Code => jsonCode(entries.map(({ raw }) => raw));
  const tools = surface.tools.map((tool) => toolCode(tool, naming));
  return {
    server: jsonCode(surface.server),
    capabilities: jsonCode(surface.capabilities),
    instructions: assigned(
      code`instructions: string | undefined`,
      surface.instructions === null ? code`undefined` : literal(surface.instructions),
    ),
    tools: tools.length > 1 ? rowsCode(tools) : arrayCode(tools),
    hasSchemas: surface.tools.some(
      ({ output, raw }) => isShown(raw["inputSchema"]) || (output !== null && isShown(raw["outputSchema"])),
    ),
    prompts: list(surface.prompts),
    resources: list(surface.resources),
    resourceTemplates: list(surface.templates),
  };
}

/** A tool as the server lists it; the schemas are those of `json-schemas.ts`. */
function toolCode({ input, output, raw }: Tool, naming: SurfaceNaming): Code {
  const keys: Readonly<Record<string, string | null>> = { inputSchema: input, outputSchema: output };
  return objectCode(
    Object.entries(raw).map(([member, value]) => {
      const key = Object.hasOwn(keys, member) ? keys[member] : undefined;
      const isNamed = typeof key === "string" && isShown(value);
      return [propertyKey(member), isNamed ? code`s.${naming.jsonSchema(key)}` : jsonCode(value)] as const;
    }),
  );
}
