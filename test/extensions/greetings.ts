/* An extension that both sides declare: one method of servers. */
import type {
  JSONRPCRequest,
  RequestParams,
  Result,
} from "../../schema/2026-07-28/schema.js";

export const EXTENSION_IDENTIFIER = "org.example/greetings";

export interface GetGreetingRequestParams extends RequestParams {
  name: string;
}

export interface GetGreetingRequest extends JSONRPCRequest {
  method: "greetings/get";
  params: GetGreetingRequestParams;
}

export interface GetGreetingResult extends Result {
  text: string;
}
