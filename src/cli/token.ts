import type { Token } from "../update/http.js";

/**
 * The token of GITHUB_TOKEN for the server of GITHUB_SERVER_URL, which GitHub Actions sets; github.com by default. It is sent to
 * no other server.
 */
export function tokenIn(environment: Readonly<Record<string, string | undefined>>): Token | null {
  const { GITHUB_TOKEN: value = "", GITHUB_SERVER_URL: server = "https://github.com" } = environment;
  if (value === "" || !URL.canParse(server)) return null;
  return { origin: new URL(server).origin, value };
}
