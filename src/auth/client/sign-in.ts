import {
  checkCodeFlow,
  exchangeCode,
  newCodeRequest,
  signInUrl,
} from "./authorization-code.js";
import { AuthorizationError } from "./error.js";
import type { Tokens } from "./model.js";
import type { Context, Login, TokenRequest } from "./options.js";
import {
  forgetRegistration,
  knownClient,
  noteRefusedDocument,
  readRegistration,
} from "./registration.js";
import { isUnknownClient } from "./tokens.js";

/** The default of `loginTimeout`, in milliseconds. */
export const defaultTime = 300_000;

/**
 * Lets a person sign in while the requests wait; once more, with a registered
 * client, if the authorization server refuses the metadata document of this
 * client.
 */
export async function signIn(
  login: Login,
  request: TokenRequest,
): Promise<Tokens> {
  const { context, as } = request;
  const wasRefused = context.refusedDocuments.has(as.issuer);
  try {
    return await signInOnce(login, request);
  } catch (error) {
    const isRefusal =
      error instanceof AuthorizationError && isUnknownClient(error);
    const isNews = !wasRefused && context.refusedDocuments.has(as.issuer);
    if (!isRefusal || !isNews) throw error;
    // Without a way to register, this rejects and says what to do.
    return await signInOnce(login, request);
  }
}

async function signInOnce(
  login: Login,
  request: TokenRequest,
): Promise<Tokens> {
  const { context, store, as } = request;
  const { issuer } = as;
  const registration = await readRegistration(store, issuer);
  const redirect = await login.redirectUri(registration?.redirectUri);
  let registeredId: string | undefined;
  try {
    checkCodeFlow(context, as, redirect.uri);
    const client = await knownClient(request, redirect.uri);
    registeredId = client.id;
    const code = newCodeRequest(redirect.uri);
    context.signal?.throwIfAborted();
    context.report("sign-in", issuer);
    await redirect.open(await signInUrl(request, client, code));
    const answer = await withTimeout(
      redirect.answer,
      context,
      context.options.loginTimeout ?? defaultTime,
      issuer,
    );
    return await exchangeCode(request, client, code, answer);
  } catch (error) {
    if (error instanceof AuthorizationError && registeredId !== undefined) {
      // The registration may have been deleted: the authorization server then
      // shows an error page and sends no answer.
      const mayBeGone = error.reason === "timeout" || isUnknownClient(error);
      // It may name other scopes.
      if (mayBeGone || error.reason === "scope")
        await forgetRegistration(store, issuer, registeredId);
      if (mayBeGone) noteRefusedDocument(context, as, registeredId, error);
    }
    throw error;
  } finally {
    // A later rejection of the answer must not end the process.
    redirect.answer.catch(() => {});
    redirect.close();
  }
}

/**
 * Waits for the answer of a person, at most `time` milliseconds and until the
 * signal of the context aborts.
 */
async function withTimeout<T>(
  answer: Promise<T>,
  { server, signal }: Context,
  time: number,
  issuer: string,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort: (() => void) | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const message = `Nobody signed in at ${issuer} for ${server.host} within ${time} ms. Try again, or raise \`loginTimeout\`.`;
    timer = setTimeout(
      () =>
        reject(new AuthorizationError("timeout", message, server, { issuer })),
      time,
    );
    onAbort = () =>
      reject(
        new AuthorizationError(
          "timeout",
          `The sign-in for ${server.host} was cancelled, because no request waits for it.`,
          server,
          { issuer },
        ),
      );
    if (signal?.aborted) onAbort();
    else signal?.addEventListener("abort", onAbort);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
    if (onAbort) signal?.removeEventListener("abort", onAbort);
  }
}
