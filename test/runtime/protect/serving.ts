import { tools } from "@mcpgen/runtime/features";
import { protect, type ProtectOptions } from "@mcpgen/auth/protect";
import { createSseHandler } from "@mcpgen/runtime/sse";
import type { HttpOptions } from "@mcpgen/runtime/http";
import { afterAll, afterEach, beforeAll } from "vitest";
import { challengesOf } from "../../../src/auth/client/challenge.js";
import {
  type AnyHandlers,
  info,
  type Json,
  makeServer,
  revisions,
} from "../kit/index.js";
import type { Answer } from "../http/kit/exchange.js";
import { type Endpoint, type Open, serving } from "../http/kit/server.js";
import { Issuer, resource } from "./issuer.js";

/**
 * A protected server, its authorization server, and the records of its handlers
 * and its operator.
 */
export interface Setup extends Open {
  readonly issuer: Issuer;
  /** The callers of the tools that ran. */
  readonly callers: Json[];
  /** The reported errors and warnings. */
  readonly log: string[];
}

/**
 * Opens protected servers of all revisions behind an endpoint, each with its
 * own authorization server.
 */
export function protectedServers(
  endpoint: Endpoint,
): (
  options?: Partial<ProtectOptions>,
  http?: HttpOptions,
  settings?: Json,
) => Promise<Setup> {
  const serve = serving(endpoint);
  const issuers = new Set<Issuer>();
  afterEach(async () => {
    await Promise.all([...issuers].map((issuer) => issuer.stop()));
    issuers.clear();
  });
  return async (options = {}, http = {}, settings = {}) => {
    const issuer = await Issuer.start();
    issuers.add(issuer);
    const callers: Json[] = [];
    const log: string[] = [];
    const write = (what: unknown): void => void log.push(String(what));
    const servers = serversWith(callers, {
      ...settings,
      onError: write,
      onWarning: write,
    });
    const protection = protect({
      resource,
      issuers: [issuer.issuer],
      ...options,
    });
    const legacySse = createSseHandler(servers, { protect: protection });
    const up = await serve(servers, {
      protect: protection,
      legacySse,
      ...http,
    });
    return { ...up, issuer, callers, log };
  };
}

/** Servers with a tool without scopes, and tools that require scopes. */
export function serversWith(
  callers: Json[],
  settings: Json = {},
): ReturnType<typeof makeServer>[] {
  const tool = (name: string, scopes?: readonly string[]) => ({
    name,
    ...(scopes && { scopes }),
    handler: (_: unknown, { auth }: { auth?: unknown }) => {
      callers.push(auth as Json);
      return "called";
    },
  });
  const list = [
    tool("read"),
    tool("write", ["files:write"]),
    tool("delete", ["files:write", "files:delete"]),
  ];
  const handlers = { ...tools(list) } as unknown as AnyHandlers;
  return revisions.map(({ protocol }) =>
    makeServer(protocol, { info, handlers, ...settings }),
  );
}

/** The first challenge of an answer: its scheme and its parameters. */
export function challengeOf(answer: Answer): Json {
  const [first] = challengesOf(answer.header("www-authenticate"));
  return { scheme: first?.scheme, ...first?.params };
}

/** An authorization server for all tests of a file. */
export function sharedIssuer(): { readonly current: Issuer } {
  const holder: { current: Issuer } = {
    current: undefined as unknown as Issuer,
  };
  beforeAll(async () => {
    holder.current = await Issuer.start();
  });
  afterAll(() => holder.current.stop());
  return holder;
}

export const bearer = (token: string): { authorization: string } => ({
  authorization: `Bearer ${token}`,
});
