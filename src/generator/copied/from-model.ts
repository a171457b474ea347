/**
 * How a value that a model wrote becomes the value of the tool, where the
 * schema that the model read differs from the schema of the tool.
 */
export interface WayBack {
  /** The name of the member, if the model read another one. */
  readonly name?: string;
  /** What null means for the member. */
  readonly null?: string;
  /** The text is the JSON of the value. */
  readonly isJson?: boolean;
  /** All arguments are in this member. */
  readonly inside?: string;
  /** By the names that the model read. */
  readonly members?: {
    readonly [name: string]: WayBack;
  };
  readonly items?: WayBack;
}

/** The calls of tools with arguments that a model wrote. */
export type ModelCalls<Tools> = {
  readonly [Name in keyof Tools]: Tools[Name] extends (
    args: never,
    options?: infer Options,
  ) => infer Result
    ? (args: object, options?: Options) => Result
    : never;
};

/** Calls a tool with arguments that a model wrote. */
export function fromModel<Options, Result>(
  call: (args: never, options?: Options) => Result,
  way: WayBack = {},
): (args: object, options?: Options) => Result {
  return (args, options) => call(takeBack(args, way) as never, options);
}

/** The value of the tool, for a value that a model wrote. */
export function takeBack(value: unknown, way: WayBack): unknown {
  const { members = {}, items, inside } = way;
  if (way.isJson && typeof value === "string") return parsed(value);
  if (Array.isArray(value))
    return items ? value.map((item) => takeBack(item, items)) : value;
  if (typeof value !== "object" || value === null) return value;
  const taken = Object.entries(value).flatMap(([name, member]) => {
    const back = Object.hasOwn(members, name) ? members[name] : undefined;
    if (back?.null && member === null) return [];
    return [[back?.name ?? name, back ? takeBack(member, back) : member]];
  });
  const result: { [name: string]: unknown } = Object.fromEntries(taken);
  return inside === undefined ? result : result[inside];
}

/** The value of a JSON text, or the text if it is none: the tool then says what it expects. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
