/*
 * An extension that nobody has published: a method, a capability, a kind of answer to the call of a tool, and a notification
 * with a filter of its own.
 */
import type {
  JSONRPCNotification,
  JSONRPCRequest,
  NotificationParams,
  RequestParams,
  Result,
} from "../../../schema/2026-07-28/schema.js";

export const EXTENSION_IDENTIFIER = "com.example/errands";

/** What an errand costs at most, in pence. */
export const HIGHEST_PRICE = 500;

export interface RunErrandParams extends RequestParams {
  errandId: string;

  /**
   * @minimum 0
   * @format int
   */
  pence?: number;
}

/** Has an errand run. */
export interface RunErrandRequest extends JSONRPCRequest {
  method: "errands/run";
  params: RunErrandParams;
}

export interface RunErrandResult extends Result {
  receipt: string;
}

/** In place of a tool's result: a ticket for the errand that will bring it. */
export interface TicketResult extends Result {
  resultType: "ticket";
  errandId: string;
}

export interface ErrandDoneNotificationParams extends NotificationParams {
  errandId: string;
}

/** Somebody came back. */
export interface ErrandDoneNotification extends JSONRPCNotification {
  method: "notifications/errands/done";
  params: ErrandDoneNotificationParams;
}

export interface ServerCapabilities {
  /** There are errands to run. */
  errands?: { run?: {} };
}

export interface SubscriptionFilter {
  errandIds?: string[];
}

export type ClientRequest = RunErrandRequest;
export type ServerNotification = ErrandDoneNotification;
export type ServerResult = RunErrandResult | TicketResult;

export interface CallToolResultResponse {
  result: TicketResult;
}
