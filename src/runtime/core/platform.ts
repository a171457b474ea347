/**
 * The globals of platforms that have `process` and the modules of Node too:
 * Bun and Deno on top of a faster `fetch`, Cloudflare Workers only some.
 */
const others = ["Bun", "Deno", "WebSocketPair"];

/** The process of Node; undefined unless the platform is Node for certain. */
export function nodeProcess(): NodeJS.Process | undefined {
  const { process } = globalThis as { readonly process?: NodeJS.Process };
  const isNode = process?.release?.name === "node";
  return isNode && !others.some((name) => name in globalThis)
    ? process
    : undefined;
}
