/* The skills extension (SEP-2640), as a user writes its schema: three methods of servers, and a setting of theirs. */
import type {
  CacheableResult,
  Cursor,
  JSONRPCRequest,
  PaginatedRequest,
  PaginatedResult,
  RequestParams,
  Resource,
} from "../../schema/2026-07-28/schema.js";

/** @declaredBy server */
export const EXTENSION_IDENTIFIER = "io.modelcontextprotocol/skills";

/** A file of a skill. */
export interface SkillResource {
  uri: string;
  digest: string;
  size: number;
}

/** A skill, with all of its files unless they are made when they are read. */
export interface Skill {
  uri: string;
  frontmatter: { name: string; description: string; [key: string]: unknown };
  resources: SkillResource[] | "dynamic";
}

export interface ListSkillsRequest extends PaginatedRequest {
  method: "skills/list";
}

export interface ListSkillsResult extends PaginatedResult, CacheableResult {
  skills: Skill[];
}

export interface GetSkillRequestParams extends RequestParams {
  uri: string;
}

export interface GetSkillRequest extends JSONRPCRequest {
  method: "skills/get";
  params: GetSkillRequestParams;
}

export interface GetSkillResult extends CacheableResult {
  skill: Skill;
}

export interface ReadResourceDirectoryRequestParams extends RequestParams {
  uri: string;
  cursor?: Cursor;
}

export interface ReadResourceDirectoryRequest extends JSONRPCRequest {
  method: "resources/directory/read";
  params: ReadResourceDirectoryRequestParams;
}

export interface ReadResourceDirectoryResult extends PaginatedResult {
  resources: Resource[];
}

export interface ServerCapabilities {
  extensions?: { "io.modelcontextprotocol/skills"?: { directoryRead?: boolean } };
}

export type ClientRequest = ListSkillsRequest | GetSkillRequest | ReadResourceDirectoryRequest;
export type ServerResult = ListSkillsResult | GetSkillResult | ReadResourceDirectoryResult;
