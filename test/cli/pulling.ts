import { type Ended, mcpgen } from "./support.js";

/** What the servers of these tests want to see, and nobody else may. */
export const token = "tok-0123456789abcdef";

/** Runs `mcpgen pull`, with the token in the environment. */
export async function pull(place: string, ...args: string[]): Promise<Ended> {
  return await mcpgen(["pull", "--no-color", ...args], { directory: place, environment: { TOKEN: token } });
}
