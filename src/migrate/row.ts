import { ts } from "ts-morph";
import { indent } from "./edits.js";
import { marginOf, textOf, type Program } from "./source.js";

export type Kind = "tools" | "resources" | "prompts" | "handlers" | "none";

/** A row of one of the lists, or a member of the handlers. */
export interface Row {
  readonly kind: Kind;
  /** The members of the row, or the member of the handlers. */
  readonly members: readonly string[];
}

export type Arguments = readonly ts.Expression[];

/** A member of a row from an expression, with its comments. */
export function keyed(program: Program, key: string, node: ts.Node, text = textOf(program, node)): string {
  return commentsOf(node) + (text === key ? key : `${key}: ${text}`);
}

/** A member of an object with its comments. */
export const withComments = (program: Program, node: ts.Node): string =>
  commentsOf(node) + textOf(program, node);

/** The comments before and behind a node, each on a line of its own. */
export function commentsOf(node: ts.Node): string {
  const { text } = node.getSourceFile();
  const behind = text[node.end] === "," ? node.end + 1 : node.end;
  const ranges = [
    ...(ts.getLeadingCommentRanges(text, node.pos) ?? []),
    ...(ts.getTrailingCommentRanges(text, behind) ?? []),
  ];
  return ranges.map(({ pos, end }) => `${indent(text.slice(pos, end), marginOf(node), "")}\n`).join("");
}
