import type { Message, Protocol } from "../../src/generator/ir/model.js";
import { protocolOf } from "../ir/made.js";

/** A small schema that uses every member of the representation. */
export async function sample(): Promise<Protocol> {
  const protocol = await protocolOf(schema);
  return {
    ...protocol,
    levels: ["quiet", "loud"],
    headers: {
      version: "Version",
      session: "Session",
      method: "Method",
      name: "Name",
      param: "Param-",
    },
    meta: {
      progressToken: "progressToken",
      protocolVersion: "a/v",
      subscriptionId: "a/s",
    },
    engineDefaults: [
      { object: "result", member: "state", value: "complete" },
      { object: "params", member: "_meta", value: null },
    ],
    messages: protocol.messages.map(enriched),
  };
}

function enriched(message: Message): Message {
  const capability = {
    side: "server",
    path: "notes.read",
    flag: false,
  } as const;
  if (message.kind === "notification") {
    return {
      ...message,
      capability: { side: "client", path: "ears", flag: true },
      filter: "notes",
      subject: "id",
    };
  }
  if (message.method !== "notes/list") return message;
  return {
    ...message,
    capability,
    asksInput: true,
    cacheable: true,
    cancellable: true,
    headerMember: "folder",
    items: "notes",
    results: ["ListNotesResult", "EmptyResult"],
    conditions: [
      {
        member: "mode",
        values: ["fast", null],
        capability: { ...capability, path: "notes.fast" },
        implied: true,
      },
    ],
    prefixes: [{ list: "notes", member: "title", prefix: "note:" }],
  };
}

const schema = `
export const LATEST_PROTOCOL_VERSION = "sample";
export const JSONRPC_VERSION = "2.0";
/** Too many. */
export const TOO_MANY = -32050;
export interface Request { method: string; params?: { [key: string]: unknown } }
export interface RequestParams { _meta?: { progressToken?: string } }
export interface Notification { method: string; params?: { _meta?: { [key: string]: unknown }; [key: string]: unknown } }
export interface Result { _meta?: { [key: string]: unknown }; [key: string]: unknown }
export type EmptyResult = Result;
export interface InitializeRequest extends Request { method: "initialize"; params: { protocolVersion: string } }
export interface InitializeResult extends Result { protocolVersion: string; serverInfo: Implementation }
export interface Implementation { name: string }
export interface ClientCapabilities { ears?: object }
export interface ServerCapabilities { notes?: { read?: object } }
/**
 * Lists notes.
 *
 * Page by page.
 *
 * @deprecated since ever
 * @category \`notes/list\`
 */
export interface ListNotesRequest extends Request { method: "notes/list"; params: { folder: string; mode?: "fast" | "slow"; cursor?: string } }
export interface ListNotesResult extends Result { notes: Block[]; nextCursor?: string; state: string }
export interface AskRequest extends Request { method: "ask"; params?: AskParams }
export interface AskParams { _meta: { [key: string]: unknown }; question: "who" | "what" | string; many?: { [key: string]: Note } }
export interface AskResult extends Result { answer: typeof TOO_MANY | typeof JSONRPC_VERSION }
export interface NotesChangedNotification extends Notification { method: "notifications/notes"; params: { id: string } }
/** A note. */
export interface Note {
  /** The kind. */
  kind: "note";
  /** Where it is. @format uri */
  place: string;
  inner?: { first: string; second?: { third: number } };
  rest?: { [key: string]: string };
}
export interface Link extends Omit<Note, "kind" | "inner"> { kind: "link"; to: Note | Link }
export type Block = Note | Link;
export type Either = { left: string } | { right: string; list?: Either[] };
export type Merged = Note & { extra?: boolean };
export type Mode = "fast" | "slow";
export type ClientRequest = InitializeRequest | ListNotesRequest;
export type ServerRequest = AskRequest;
export type ServerNotification = NotesChangedNotification;
`;
