/**
 * Groups of tools, a draft (SEP-2084): a client lists the groups first, and
 * shows a model only the tools of those that it needs.
 */
import type {
  BaseMetadata,
  JSONRPCRequest,
  Result,
} from "mcpgen/schema/2026-07-28/schema.js";

/** @declaredBy server */
export const EXTENSION_IDENTIFIER = "com.example/groups";

/** A named set of tools. A tool may be in several. */
export interface Group extends BaseMetadata {
  /** What its tools are for. */
  description?: string;
}

export interface ListGroupsRequest extends JSONRPCRequest {
  method: "groups/list";
}

export interface ListGroupsResult extends Result {
  groups: Group[];
}

/** Adds to the requests of a client. */
export type ClientRequest = ListGroupsRequest;

/** A tool names its groups. */
export interface Tool {
  _meta?: { "com.example/groups"?: string[] };
}
