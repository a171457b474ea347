import { rpcError } from "../errors.js";

/** A value that could name a file elsewhere: `..` as a step, an absolute path, a drive of Windows, or a zero character. */
const outside = /(^|[/\\])\.\.([/\\]|$)|\0|^[/\\]|^[a-z]:/i;

/**
 * Refuses a URI that is none, and one that was made to lead a resource's handler to a file outside of what its template covers
 * (RES-06, RES-07). The variables are those of the template, decoded. A value that begins with one slash is only allowed
 * where it is the whole path of the URI, as in `file://{+path}`.
 *
 * @throws McpError "invalid params", with the URI in its data.
 */
export function checkUri(uri: string, variables: Readonly<Record<string, string>> = {}): void {
  const refuse = (why: string): Error =>
    rpcError("INVALID_PARAMS", `${JSON.stringify(uri)} ${why}.`, { uri });
  if (/[\0- "<>\\^`{|}\x7f]/.test(uri)) throw refuse("is not a URI");
  const path = /^[^:/?#]+:\/\/(\/[^/?#][^?#]*)/.exec(uri)?.[1];
  for (const [name, value] of Object.entries(variables)) {
    const isPath = path !== undefined && value === decode(path);
    if (outside.test(isPath ? value.replace(/^\/([a-z]:\/)?/i, "") : value)) {
      throw refuse(`leads out of what its template covers by the variable ${name}`);
    }
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
