import {
  allowInsecureRequests,
  customFetch,
  type DeviceAuthorizationResponse,
  deviceAuthorizationRequest,
  processDeviceAuthorizationResponse,
} from "oauth4webapi";
import { type Awaitable, pause } from "../../common/timing.js";
import { clientAuth, libraryClient } from "./client-auth.js";
import { AuthorizationError, isAuthorizationError, quote } from "./error.js";
import { authFetch } from "./fetch.js";
import { deviceCode, type KnownClient } from "./model.js";
import type { OtherGrant, TokenRequest } from "./options.js";
import { knownClient, noteRefusedDocument } from "./registration.js";
import { hideInCode, secretsIn } from "./secrets.js";
import { isUnknownClient, requestTokens } from "./tokens.js";
import { checkUrl } from "./urls.js";

/** What a person needs to sign in on another device. */
export interface DeviceCode {
  /** The page to open. */
  readonly url: string;
  /** The code to enter there: one line of at most 64 characters. */
  readonly code: string;
  /** The page with the code in it, for a link or a QR code. */
  readonly completeUrl: string | undefined;
  /** When the code expires, in milliseconds since 1970. */
  readonly expires: number;
}

/** How a person signs in on another device. */
export interface DeviceLogin {
  /** Shows the code to the person. */
  readonly onCode: (code: DeviceCode) => Awaitable<void>;
}

/**
 * The time between two requests for the token if the authorization server sets
 * none, in seconds.
 */
const defaultInterval = 5;
/** The time that the error `slow_down` adds to the interval, in seconds. */
const slowDownStep = 5;

/**
 * Lets a person sign in on another device, such as a phone: for remote shells
 * and machines without a browser. The authorization server must support it (RFC
 * 8628). `oauth({ login: deviceLogin({ onCode: ({ url, code }) =>
 * console.error(`Open ${url} and enter ${code}.`) })
 * })` Requests fail with an `AuthorizationError`: `metadata` if the server does not support it, `denied`, or `timeout`
 * when the code expires.
 */
export const deviceLogin = ({ onCode }: DeviceLogin): OtherGrant => ({
  needsPerson: true,
  token: async (request) => {
    const { context, as } = request;
    const { server, signal } = context;
    const { issuer } = as;
    if (as.device_authorization_endpoint === undefined) {
      const message = `The authorization server ${issuer} of ${server.host} cannot sign in a person on another device.`;
      throw new AuthorizationError("metadata", message, server, { issuer });
    }
    checkUrl(
      as.device_authorization_endpoint,
      "the device_authorization_endpoint of its authorization server",
      context,
    );
    let client = await knownClient(request, undefined);
    const answer = await requestCode(request, client).catch(
      async (error: unknown) => {
        if (!isAuthorizationError(error) || !isUnknownClient(error))
          throw error;
        const refused = client.id;
        noteRefusedDocument(context, as, refused, error);
        client = await knownClient(request, undefined);
        if (client.id === refused) throw error;
        return requestCode(request, client);
      },
    );
    const {
      device_code,
      expires_in,
      verification_uri: url,
      verification_uri_complete: complete,
    } = answer;
    const expires = Date.now() + expires_in * 1000;
    context.report("sign-in", issuer);
    await onCode({
      url: checkUrl(url, "its page for the code", context).href,
      code: answer.user_code.slice(0, 64).replace(/[^\P{C}]/gu, "\ufffd"),
      completeUrl:
        complete && checkUrl(complete, "its page for the code", context).href,
      expires,
    });
    let interval = Math.max(1, answer.interval ?? defaultInterval);
    const { resource } = request.params;
    const params = { device_code, ...(resource !== undefined && { resource }) };
    while (Date.now() + interval * 1000 < expires) {
      await pause(interval * 1000, signal);
      try {
        return await requestTokens(context, as, client, deviceCode, params);
      } catch (error) {
        if (!isAuthorizationError(error)) throw error;
        if (error.code === "access_denied")
          throw new AuthorizationError("denied", error.message, server, {
            issuer,
            code: error.code,
          });
        if (error.code === "expired_token") break;
        if (error.code === "slow_down") interval += slowDownStep;
        else if (
          error.code !== "authorization_pending" &&
          error.reason !== "network"
        )
          throw error;
      }
    }
    const message = `Nobody entered the code for ${server.host} at ${issuer} before it expired. Try again.`;
    throw new AuthorizationError("timeout", message, server, { issuer });
  },
});

async function requestCode(
  { context, as, params }: TokenRequest,
  client: KnownClient,
): Promise<DeviceAuthorizationResponse> {
  const oauthClient = libraryClient(context, as, client.id);
  let secrets: readonly string[] = [];
  try {
    const response = await deviceAuthorizationRequest(
      as,
      oauthClient,
      clientAuth(context, as, client),
      params,
      {
        [allowInsecureRequests]: true,
        [customFetch]: (url, init) => {
          secrets = secretsIn(init as RequestInit);
          return authFetch(
            context,
            url,
            "a code for a person",
            init as RequestInit,
          );
        },
      },
    );
    return await processDeviceAuthorizationResponse(as, oauthClient, response);
  } catch (cause) {
    if (cause instanceof AuthorizationError) throw cause;
    const { issuer } = as;
    const { error } = cause as { error?: unknown };
    const code =
      typeof error === "string" ? hideInCode(error, secrets) : undefined;
    const why = quote(code ?? (cause as Error).message);
    const message = `${issuer} did not issue a code to sign in on another device: ${why}.`;
    throw new AuthorizationError("grant", message, context.server, {
      issuer,
      code,
    });
  }
}
