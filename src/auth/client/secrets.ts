import { quote } from "./error.js";

/**
 * Hides values in an error code, if they are whole words: a program compares
 * codes, and a short value may be a part of one.
 */
export const hideInCode = (code: string, values: readonly string[]): string =>
  hide(code, values, true);

/**
 * Hides values in a text of another party, as they are and as they are in a
 * form.
 */
export function hide(
  text: string,
  values: readonly string[],
  isWhole = false,
): string {
  const forms = values.flatMap((one) => [
    one,
    encodeURIComponent(one),
    new URLSearchParams([["", one]]).toString().slice(1),
  ]);
  // The longest first, because one may contain another.
  const all = [...new Set(forms)]
    .filter((one) => one !== "")
    .sort((a, b) => b.length - a.length);
  if (all.length === 0) return text;
  const patterns = all.map((one) =>
    one.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"),
  );
  const pattern = patterns.join("|");
  return text.replace(
    new RegExp(isWhole ? `(?<!\\w)(?:${pattern})(?!\\w)` : pattern, "g"),
    "[hidden]",
  );
}

/** The members of requests that an error may show. */
const publicNames: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "grant_type",
  "scope",
  "resource",
  "audience",
  "client_id",
  "redirect_uri",
  "requested_token_type",
  "subject_token_type",
  "client_assertion_type",
  "token_type_hint",
]);

/** The secrets that a request sends: in its form, and in its headers. */
export function secretsIn({ body, headers }: RequestInit): string[] {
  const form = body instanceof URLSearchParams ? [...body] : [];
  const sent = new Headers(headers);
  const [scheme, credentials = ""] = (sent.get("authorization") ?? "").split(
    " ",
  );
  const secret =
    scheme === "Basic" ? atob(credentials).replace(/^[^:]*:/, "") : "";
  const decoded = new URLSearchParams(`=${secret}`).get("") ?? "";
  const values = form
    .filter(([name]) => !publicNames.has(name))
    .map(([, value]) => value);
  return [...values, credentials, secret, decoded, sent.get("dpop") ?? ""];
}

/**
 * Why a library fails to send a request: its message, quoted and without
 * secrets, and the error itself only if it says no more.
 */
export function failureOf(
  error: unknown,
  init: RequestInit,
): { readonly why: string } & ErrorOptions {
  const message = error instanceof Error ? error.message : String(error);
  const why = quote(hide(message, secretsIn(init)));
  return why === JSON.stringify(message) ? { why, cause: error } : { why };
}
