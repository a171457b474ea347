import { readFile } from "node:fs/promises";
import {
  boundedFetch,
  type BoundedFetch,
  objectIn,
} from "../../common/bounded-fetch.js";

/**
 * Reads a token from a file each time that one is needed, because platforms
 * replace it before it expires. For `workloadIdentity`. The function rejects
 * with an `Error` if the file cannot be read or is empty.
 */
export const fileToken = (path: string) => async (): Promise<string> => {
  const token = (await readFile(path, "utf8")).trim();
  if (token === "") throw new Error(`The file ${path} has no token.`);
  return token;
};

/**
 * The token of the service account of a Kubernetes pod. The authorization
 * server must accept its audience: a projected volume with another audience has
 * another `path`. For `workloadIdentity`.
 */
export const kubernetesToken = (
  path = "/var/run/secrets/kubernetes.io/serviceaccount/token",
): (() => Promise<string>) => fileToken(path);

/**
 * The identity of a job of GitHub Actions, which must have
 * `permissions: id-token: write`. The audience is the issuer of the
 * authorization server unless another one is given; `fetch` sends the request.
 * For `workloadIdentity`. The function rejects with an `Error` if the job has
 * no identity, or GitHub does not answer within ten seconds.
 */
export const githubActionsToken =
  (
    options: {
      readonly audience?: string;
      readonly fetch?: BoundedFetch["send"];
    } = {},
  ) =>
  async (audience: string): Promise<string> => {
    const {
      ACTIONS_ID_TOKEN_REQUEST_URL: address,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: secret,
    } = process.env;
    if (address === undefined || secret === undefined)
      throw new Error(
        "There is no identity of a GitHub Actions job. Add `permissions: id-token: write` to the job.",
      );
    // The error of `fetch` would show it.
    if (!/^[!-~]+$/.test(secret))
      throw new Error(
        "ACTIONS_ID_TOKEN_REQUEST_TOKEN must be printable ASCII without spaces.",
      );
    const url = new URL(address);
    url.searchParams.set("audience", options.audience ?? audience);
    const headers = { authorization: `Bearer ${secret}` };
    const { response, bytes } = await boundedFetch(
      url,
      { headers },
      options.fetch && { send: options.fetch },
    );
    const value = response.ok ? objectIn(bytes)?.["value"] : undefined;
    if (typeof value === "string") return value;
    throw new Error(
      `GitHub Actions answers ${response.status} to the request for the identity of the job.`,
    );
  };
