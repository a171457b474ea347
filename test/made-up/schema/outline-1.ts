/*
 * A small schema with what extensions are prone to: a union without a tag whose members contain it again, params written
 * inline, which hide the `_meta` of their base, and a message that no union lists.
 */

export const JSONRPC_VERSION = "2.0";

export type RequestId = string | number;
export type ProgressToken = string | number;

export interface Request {
  method: string;
  params?: {
    _meta?: { progressToken?: ProgressToken; [key: string]: unknown };
    [key: string]: unknown;
  };
}

export interface Notification {
  method: string;
  params?: {
    _meta?: { [key: string]: unknown };
    [key: string]: unknown;
  };
}

export interface Result {
  _meta?: { [key: string]: unknown };
  [key: string]: unknown;
}

export interface JSONRPCRequest extends Request {
  jsonrpc: typeof JSONRPC_VERSION;
  id: RequestId;
}

export interface JSONRPCNotification extends Notification {
  jsonrpc: typeof JSONRPC_VERSION;
}

export type JSONRPCMessage = JSONRPCRequest | JSONRPCNotification;

export type EmptyResult = Result;

export interface Implementation {
  name: string;
  version: string;
}

export interface ClientCapabilities {
  experimental?: { [key: string]: object };
}

export interface ServerCapabilities {
  outline?: { move?: boolean };
}

export interface InitializeRequest extends Request {
  method: "initialize";
  params: {
    protocolVersion: string;
    capabilities: ClientCapabilities;
    clientInfo: Implementation;
  };
}

export interface InitializeResult extends Result {
  protocolVersion: string;
  capabilities: ServerCapabilities;
  serverInfo: Implementation;
}

export interface InitializedNotification extends Notification {
  method: "notifications/initialized";
}

export interface ProgressNotification extends Notification {
  method: "notifications/progress";
  params: { progressToken: ProgressToken; progress: number; total?: number };
}

/** A line, a link, a heading with what is below it, or several of them: nothing says which but what it has. */
export type Outline = string | Link | Heading | Outline[];

export interface Link {
  to: string;
  /** What stands in its place. */
  instead?: Outline;
}

export interface Heading {
  title: string;
  below: { [label: string]: Outline };
}

/** Moves a part of an outline. */
export interface OutlineMoveRequest extends Request {
  method: "outline/move";
  params: {
    whole: Outline;
    from: (string | number)[];
    to: (string | number)[] | null;
  };
}

export interface OutlineMoveResult extends Result {
  whole: Outline;
}

/** Says that an outline has changed. */
export interface OutlineChangedNotification extends Notification {
  method: "notifications/outline/changed";
  params: { part: Outline };
}

export type ClientRequest = InitializeRequest | OutlineMoveRequest;
export type ClientNotification = InitializedNotification;
export type ServerNotification = ProgressNotification;
