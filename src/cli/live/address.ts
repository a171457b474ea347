import { usageError } from "../command-error.js";

/**
 * Where a server is and how to connect to it. Its secrets are never printed:
 * see `secrets.ts`.
 */
export type ServerAddress = StdioAddress | HttpAddress | ModuleAddress;

/** An environment variable whose value is part of a server's address. */
export interface ExpandedVariable {
  readonly name: string;
  readonly value: string;
}

/** What servers at a URL and those that a command starts have in common. */
interface Configured {
  /**
   * The variables in the other members. All are secret except those in
   * `notSecret`.
   */
  readonly expanded: readonly ExpandedVariable[];
  /** Names of headers and variables whose values are not secret. */
  readonly notSecret?: readonly string[];
}

export interface StdioAddress extends Configured {
  readonly kind: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  /** The command line before variables were expanded. */
  readonly written: readonly string[];
  /** Environment variables in addition to those that every program gets. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute; null for the folder of this process. */
  readonly cwd: string | null;
}

export interface HttpAddress extends Configured {
  readonly kind: "http";
  readonly url: URL;
  /** True to start with the older transport, HTTP+SSE. */
  readonly isSse: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** How requests are authorized: see `auth/authorize.ts`. */
  readonly auth?: string;
  /** The authorization server that may get the credentials of `auth`. */
  readonly issuer?: string;
  /** Two identifiers of one authorization server, with "=" between them. */
  readonly issuerAlias?: string;
  /** The tokens that were used so far, all of them secret. */
  readonly tokens?: ReadonlySet<string>;
}

interface ModuleAddress {
  readonly kind: "module";
  /** `./server.js#server` */
  readonly module: string;
}

/** The message never quotes the text: an invalid URL may contain a password. */
export function readUrl(text: string, whose = "--url"): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw usageError(
    "MG702",
    `${whose} is not an HTTP URL`,
    "for example https://example.com/mcp",
  );
}
