export interface JSONRPCRequest {
  jsonrpc: "2.0";
  id: string | number;
  method: string;
  params?: { [key: string]: any };
}
export interface Result {
  resultType: "complete" | "input_required" | string;
}
export interface AskRequest {
  method: "elicitation/create";
  params: { message: string };
}
export interface AskResult {
  action: "accept" | "decline";
}
export type InputRequest = AskRequest;
export interface InputRequiredResult extends Result {
  inputRequests?: { [key: string]: InputRequest };
  requestState?: string;
}
export interface ReadRequest extends JSONRPCRequest {
  method: "notes/read";
  params: { uri: string };
}
export interface ReadResult extends Result {
  text: string;
}
export interface ReadResultResponse {
  jsonrpc: "2.0";
  id: string | number;
  result: ReadResult | InputRequiredResult;
}
export type ClientRequest = ReadRequest;
