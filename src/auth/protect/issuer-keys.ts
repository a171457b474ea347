import { createLocalJWKSet, errors } from "jose";
import type { Reporting } from "../../runtime/core/report.js";
import { checkedUrl, fetchJson, readIssuerMetadata } from "./issuer.js";

/**
 * How long metadata and keys are used, and after which time keys are read again
 * because a token names an unknown one, in milliseconds.
 */
const metadataTime = 3_600_000;
const keyTime = 600_000;
const unknownKeyTime = 30_000;
/** How long nothing is read again after a failure, in milliseconds. */
const minRetry = 5000;

type KeySet = ReturnType<typeof createLocalJWKSet>;

/** Finds the key that a token is signed with. */
export type Keys = (...token: Parameters<KeySet>) => ReturnType<KeySet>;

/**
 * The keys of an issuer, at `address` or at the `jwks_uri` of its metadata.
 * They are read when they are needed. If they cannot be read again, those that
 * are known are used for `staleTime` milliseconds more, with a warning.
 */
export function issuerKeys(
  issuer: string,
  address: string | undefined,
  fetch: typeof globalThis.fetch,
  staleTime: number,
): (reporting: Reporting) => Keys {
  let url = "";
  let keySet: Renewed<KeySet>;
  const findKeys = renewed(`The metadata of ${issuer}`, async () => {
    const found =
      address ?? (await readIssuerMetadata(issuer, fetch))["jwks_uri"];
    const what =
      address === undefined
        ? `jwks_uri of ${issuer}`
        : `jwt: keys of ${issuer}`;
    const { href } = checkedUrl(found, what);
    // Keys that are known stay known as long as their URL is the same.
    if (href !== url)
      keySet = renewed(`The key set of ${issuer}`, () => readKeys(href, fetch));
    url = href;
    return keySet;
  });
  return (reporting) => async (header, token) => {
    const current = await findKeys(metadataTime, staleTime, reporting);
    const keys = await current(keyTime, staleTime, reporting);
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const newKeys = await current(unknownKeyTime, 0, reporting);
      return newKeys(header, token);
    }
  };
}

async function readKeys(
  url: string,
  fetch: typeof globalThis.fetch,
): Promise<KeySet> {
  const { status, document } = await fetchJson(url, fetch);
  if (status !== 200 || !document)
    throw new Error(
      `${url} answered with status ${status} instead of a key set.`,
    );
  return createLocalJWKSet(
    document as unknown as Parameters<typeof createLocalJWKSet>[0],
  );
}

/**
 * Returns a value that is at most `maxAge` milliseconds old; or `staleTime`
 * more if it cannot be read again, else rejects.
 */
type Renewed<T> = (
  maxAge: number,
  staleTime: number,
  reporting: Reporting,
) => Promise<T>;

/**
 * Reads a value when it is needed: one read at a time, and none within 5
 * seconds after one that failed.
 */
function renewed<T>(what: string, read: () => Promise<T>): Renewed<T> {
  let last: { readonly value: T; readonly at: number } | undefined;
  let failure: unknown;
  let retryAt = 0;
  let reading: Promise<void> | undefined;
  const readAgain = async (): Promise<void> => {
    try {
      last = { value: await read(), at: Date.now() };
    } catch (error) {
      failure = error;
      retryAt = Date.now() + minRetry;
    }
    reading = undefined;
  };
  return async (maxAge, staleTime, reporting) => {
    if (last && Date.now() < last.at + maxAge) return last.value;
    const isFirst = !reading && Date.now() >= retryAt;
    if (isFirst) reading = readAgain();
    await reading;
    const age = last ? Date.now() - last.at : Infinity;
    if (last && age < maxAge) return last.value;
    if (!last || age >= maxAge + staleTime) throw failure;
    const end = new Date(last.at + maxAge + staleTime).toISOString();
    if (isFirst)
      reporting.onWarning?.(
        `${what} is not renewed: ${(failure as Error).message} The last one is used until ${end}.`,
      );
    return last.value;
  };
}
