import { ts } from "ts-morph";
import { textOf, type Program } from "./source.js";

export type Kind = "tools" | "resources" | "prompts" | "handlers";

/** A row of one of the lists, or a member of the handlers. */
export interface Row {
  readonly kind: Kind;
  /** The members of the row, or the member of the handlers. */
  readonly members: readonly string[];
}

export type Arguments = readonly ts.Expression[];

export const keyed = (program: Program, key: string, node: ts.Expression): string => {
  const text = textOf(program, node);
  return text === key ? key : `${key}: ${text}`;
};
export const handlerMember = (key: string, text: string): string => (text === key ? key : `${key}: ${text}`);

/** A member of an object with the comments before it. */
export function withComments(program: Program, node: ts.Node): string {
  const [first] = ts.getLeadingCommentRanges(node.getSourceFile().text, node.pos) ?? [];
  return textOf(program, node, first?.pos);
}
