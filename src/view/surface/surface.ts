import type { Entry, Surface } from "../../ir/surface/model.js";
import { assigned, type Code, code, jsonCode, literal } from "../code.js";

/** `surface.ts`: what the server lists, as it lists it. */
export interface SurfaceView {
  readonly server: Code;
  readonly capabilities: Code;
  /** `instructions: string | undefined = …` */
  readonly instructions: Code;
  readonly tools: Code;
  readonly prompts: Code;
  readonly resources: Code;
  readonly resourceTemplates: Code;
}

export function surfaceView(surface: Surface): SurfaceView {
  const list = (entries: readonly Entry[]): Code => jsonCode(entries.map(({ raw }) => raw));
  return {
    server: jsonCode(surface.server),
    capabilities: jsonCode(surface.capabilities),
    instructions: assigned(
      code`instructions: string | undefined`,
      surface.instructions === null ? code`undefined` : literal(surface.instructions),
    ),
    tools: list(surface.tools),
    prompts: list(surface.prompts),
    resources: list(surface.resources),
    resourceTemplates: list(surface.templates),
  };
}
