import type { Protocol } from "../../src/generator/ir/model.js";
import { read } from "../read/typescript/reading.js";

/**
 * The beginning of a test schema: a handshake, so that the opening need not be
 * assumed.
 */
export const preamble = `
export interface Request { method: string; params?: { [key: string]: unknown } }
export interface Notification { method: string; params?: { [key: string]: unknown } }
export interface Result { _meta?: { [key: string]: unknown }; [key: string]: unknown }
export type EmptyResult = Result;
export interface InitializeRequest extends Request { method: "initialize" }
export interface InitializeResult extends Result { protocolVersion: string }
`;

/**
 * A small protocol: the client sends "notes/get" with the params `Sent`, the
 * server answers with `GetNoteResult`; both contain `Shared`.
 */
export function notes(parts: {
  readonly sent?: string;
  readonly answered?: string;
  readonly shared?: string;
  readonly beside?: string;
}): string {
  const {
    sent = "id: string",
    answered = "text: string",
    shared = "flag?: boolean",
    beside = "",
  } = parts;
  return `${preamble}
export interface Sent { ${sent}; shared?: Shared }
export interface GetNoteRequest extends Request { method: "notes/get"; params: Sent }
export interface GetNoteResult extends Result { ${answered}; shared?: Shared }
export interface Shared { ${shared} }
export type ClientRequest = InitializeRequest | GetNoteRequest;
${beside}`;
}

/** A protocol from the text of a schema.ts. */
export async function protocolOf(text: string): Promise<Protocol> {
  const { protocol, reports } = await read(text, { revision: "made" });
  if (protocol === null) throw new Error(JSON.stringify(reports));
  return protocol;
}
