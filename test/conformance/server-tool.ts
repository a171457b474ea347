import type { ServerHandlers } from "../../generated/index.js";

type Call = NonNullable<ServerHandlers["tools/call"]>;
export type Result = Awaited<ReturnType<Call>>;
export type Context = Parameters<Call>[1];
export type Arguments = Readonly<Record<string, unknown>>;
/** Functions that notify every client of changes. */
export type Announce = () => {
  toolsListChanged(): void;
  promptsListChanged(): void;
};

/** One tool of the suite. */
export interface Tool {
  readonly description: string;
  readonly inputSchema?: {
    readonly type: "object";
    readonly [keyword: string]: unknown;
  };
  readonly execution?: { readonly taskSupport: "optional" | "required" };
  call(
    args: Arguments,
    context: Context,
    announce: Announce,
  ): Result | Promise<Result>;
}
/** Tools by their names in the suite. */
export type Tools = Readonly<Record<string, Tool>>;

export const text = (value: string): Result => ({
  content: [{ type: "text", text: value }],
});

/** A form with one required field. */
export const ask = <const Type extends "string" | "boolean">(
  message: string,
  name: string,
  type: Type,
) => ({
  message,
  requestedSchema: {
    type: "object" as const,
    properties: { [name]: { type } },
    required: [name],
  },
});
export const askName = ask("What is your name?", "name", "string");

/** A question for a model. */
export const askModel = (question: string) => ({
  messages: [
    {
      role: "user" as const,
      content: { type: "text" as const, text: question },
    },
  ],
  maxTokens: 100,
});
