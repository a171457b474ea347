/**
 * The skills extension (SEP-2640): a server offers folders with instructions for a model. Each file is an ordinary resource. The
 * extension publishes no schema; this one states the types of its specification. The cache hints are optional, because servers of revisions
 * before 2026-07-28 do not send them.
 */
import type {
  JSONRPCRequest,
  PaginatedRequest,
  PaginatedResult,
  RequestParams,
  Resource,
  Result,
} from "../../2026-07-28/schema.js";

/**
 * The key under which the server declares the extension.
 *
 * @declaredBy server
 */
export const EXTENSION_IDENTIFIER = "io.modelcontextprotocol/skills";

/**
 * A file of a skill.
 *
 * @category `skills`
 */
export interface SkillResource {
  /**
   * The URI of the file, inside the folder of the skill.
   * @format uri
   */
  uri: string;

  /** `sha256:` and the SHA-256 of the bytes of the file, in lower-case hex. */
  digest: string;

  /**
   * The number of bytes of the file.
   * @format int
   * @minimum 0
   */
  size: number;
}

/**
 * A skill.
 *
 * @category `skills`
 */
export interface Skill {
  /**
   * The URI of the skill's `SKILL.md`.
   * @format uri
   */
  uri: string;

  /** The YAML at the beginning of `SKILL.md`, as JSON. */
  frontmatter: {
    /** The name, which is also the name of the skill's folder. */
    name: string;
    /** What the skill does and when to use it. */
    description: string;
    [key: string]: unknown;
  };

  /** All files of the skill, `SKILL.md` too; or `dynamic` if they are generated and have no stable digests. */
  resources: SkillResource[] | "dynamic";
}

/**
 * How long a client may reuse a result.
 *
 * @category `skills`
 */
export interface SkillCacheHints {
  /**
   * Milliseconds for which the result is fresh.
   * @format int
   * @minimum 0
   */
  ttlMs?: number;

  /** Whether a shared cache may keep the result. */
  cacheScope?: "public" | "private";
}

/**
 * Requests a list of the skills of the server. The list may be incomplete.
 *
 * @category `skills/list`
 */
export interface ListSkillsRequest extends PaginatedRequest {
  method: "skills/list";
}

/**
 * One page of the list of skills.
 *
 * @category `skills/list`
 */
export interface ListSkillsResult extends PaginatedResult, SkillCacheHints {
  /** The skills. */
  skills: Skill[];
}

/**
 * Parameters of a `skills/get` request.
 *
 * @category `skills/get`
 */
export interface GetSkillRequestParams extends RequestParams {
  /**
   * The URI of the skill's `SKILL.md`.
   * @format uri
   */
  uri: string;
}

/**
 * Requests one skill, listed or not.
 *
 * @category `skills/get`
 */
export interface GetSkillRequest extends JSONRPCRequest {
  method: "skills/get";
  params: GetSkillRequestParams;
}

/**
 * The requested skill.
 *
 * @category `skills/get`
 */
export interface GetSkillResult extends Result, SkillCacheHints {
  /** The skill. */
  skill: Skill;
}

/**
 * Parameters of a `resources/directory/read` request.
 *
 * @category `resources/directory/read`
 */
export interface ReadResourceDirectoryRequestParams extends RequestParams {
  /**
   * The URI of the directory, without a slash at its end.
   * @format uri
   */
  uri: string;

  /** The position after which to continue, from the page before. */
  cursor?: string;
}

/**
 * Requests the direct children of a directory. Only for servers with the setting `directoryRead`.
 *
 * @category `resources/directory/read`
 */
export interface ReadResourceDirectoryRequest extends JSONRPCRequest {
  method: "resources/directory/read";
  params: ReadResourceDirectoryRequestParams;
}

/**
 * One page of the children of a directory. Directories have the MIME type `inode/directory`.
 *
 * @category `resources/directory/read`
 */
export interface ReadResourceDirectoryResult extends PaginatedResult {
  /** The files and directories. */
  resources: Resource[];
}

/**
 * Settings of the extension.
 *
 * @category `skills`
 */
export interface SkillsServerCapability {
  /** The server supports `resources/directory/read`. */
  directoryRead?: boolean;
}

// Rules that the specification of the extension has only in prose: who sends its messages, and who declares it.

/** The setting of servers. */
export interface ServerCapabilities {
  extensions?: { "io.modelcontextprotocol/skills"?: SkillsServerCapability };
}

/** Requests that a client sends. */
export type ClientRequest = ListSkillsRequest | GetSkillRequest | ReadResourceDirectoryRequest;

/** Results that a server returns. */
export type ServerResult = ListSkillsResult | GetSkillResult | ReadResourceDirectoryResult;
