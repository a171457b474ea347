import { type Ended, mcpgen } from "./support.js";

/**
 * The token that the servers of these tests require, and that no output may
 * contain.
 */
export const token = "tok-0123456789abcdef";

/** Runs `mcpgen pull`, with the token in the environment. */
export async function pull(place: string, ...args: string[]): Promise<Ended> {
  return await mcpgen(["pull", "--no-color", ...args], {
    directory: place,
    environment: { TOKEN: token },
  });
}
