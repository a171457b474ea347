import { lookup as resolve } from "node:dns/promises";
import {
  request as requestHttp,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { Readable } from "node:stream";
import type { AuthFetch } from "../client/options.js";
import { decodedBody } from "../../common/decoding.js";

/** An address of a host. */
export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** Options of `guardedFetch`. */
export interface GuardedFetch {
  /** Resolves the name of a host; the resolver of the machine by default. */
  readonly lookup?: (host: string) => Promise<readonly HostAddress[]>;
}

/**
 * Sends the requests of `oauth` only to allowed addresses:
 * `oauth({ fetch: guardedFetch() })`. A host name is resolved once, its
 * addresses are checked, and the connection goes to one of them, so that no
 * name can lead into a private network. Follows no redirects. `browserLogin`
 * uses it by default.
 */
export function guardedFetch({
  lookup = (host) => resolve(host, { all: true }),
}: GuardedFetch = {}): AuthFetch {
  return async (url, init, { server, isAllowed }) => {
    const addresses = await addressesOf(url, lookup);
    const privateAddress = addresses.find(
      ({ address }) => !isAllowed(address, []),
    );
    if (privateAddress) {
      const serverAddresses = (await addressesOf(server, lookup)).map(
        ({ address }) => address,
      );
      if (
        !addresses.every(({ address }) => isAllowed(address, serverAddresses))
      )
        throw Object.assign(
          new Error(
            `${url.hostname} is at the private address ${privateAddress.address}`,
          ),
          {
            code: "PRIVATE_ADDRESS",
          },
        );
    }
    const body = bodyOf(init.body);
    const response = await send(url, body, {
      method: init.method ?? "GET",
      headers: {
        "accept-encoding": "identity",
        ...Object.fromEntries(new Headers(init.headers)),
        "content-length": Buffer.byteLength(body),
      },
      ...(init.signal && { signal: init.signal }),
      agent: false,
      lookup: fixedLookup(addresses),
    });
    const { statusCode: status = 0, headers } = response;
    const isEmpty = status === 204 || status === 304;
    if (isEmpty) response.resume();
    return new Response(
      isEmpty
        ? null
        : (Readable.toWeb(
            decodedBody(response, (message) => new Error(message)),
          ) as ReadableStream<Uint8Array>),
      {
        status,
        headers: Object.entries(headers).flatMap(([name, value = ""]) =>
          [value].flat().map((one): [string, string] => [name, one]),
        ),
      },
    );
  };
}

async function addressesOf(
  { hostname }: URL,
  lookup: NonNullable<GuardedFetch["lookup"]>,
): Promise<readonly HostAddress[]> {
  const host = hostname.replace(/^\[|\]$/g, "");
  const family = isIP(host);
  const addresses =
    family === 0 ? await lookup(host) : [{ address: host, family }];
  if (addresses.length === 0) throw new Error(`${host} has no address`);
  return addresses;
}

/** A lookup function for `node:net` that returns the checked addresses. */
function fixedLookup(addresses: readonly HostAddress[]): LookupFunction {
  return (_host, { all }, callback) => {
    const [first] = addresses;
    if (all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? "", first?.family);
  };
}

function bodyOf(body: RequestInit["body"]): string {
  if (typeof body === "string" || body instanceof URLSearchParams)
    return String(body);
  if (body === null || body === undefined) return "";
  throw new TypeError("guardedFetch sends text and forms only.");
}

function send(
  url: URL,
  body: string,
  options: RequestOptions,
): Promise<IncomingMessage> {
  const request = (url.protocol === "http:" ? requestHttp : requestHttps)(
    url,
    options,
  );
  return new Promise((done, fail) => {
    request.once("response", done).once("error", fail).end(body);
  });
}
