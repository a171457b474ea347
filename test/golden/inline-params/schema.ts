export interface Request {
  method: string;
  params?: {
    _meta?: { progressToken?: string | number };
    [key: string]: unknown;
  };
}
export interface Result {
  _meta?: { [key: string]: unknown };
  [key: string]: unknown;
}
export interface InitializeRequest extends Request {
  method: "initialize";
  params: { protocolVersion: string };
}
export interface InitializeResult extends Result {
  protocolVersion: string;
}
/** Calls a tool. */
export interface CallToolRequest extends Request {
  method: "tools/call";
  params: { name: string; arguments?: { [key: string]: unknown } };
}
export interface CallToolResult extends Result {
  content: string[];
}
export type ClientRequest = InitializeRequest | CallToolRequest;
