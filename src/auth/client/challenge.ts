/** One challenge of a `WWW-Authenticate` header. */
interface AuthChallenge {
  /** In lower case. */
  readonly scheme: string;
  /** By names in lower case. */
  readonly params: Readonly<Record<string, string>>;
}

const scheme = /[\s,]*([!#$%&'*+\-.^_`|~\w]+)(?=[\s,]|$)/y;
const param =
  /[\s,]*([!#$%&'*+\-.^_`|~\w]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\[^])*)"|([^\s,"]*))/y;
const token68 = /[ \t]+[\w\-.~+/]+=*(?=[ \t]*(?:,|$))/y;

/** The longest header that is read, in characters. */
const maxLength = 16_384;

/**
 * Reads the challenges of a `WWW-Authenticate` header, or of several that are
 * joined by commas (RFC 9110, section 11.6.1). Text that cannot be read ends
 * the list; the challenges before it are returned.
 */
export function challengesOf(header: string | undefined): AuthChallenge[] {
  const text = (header ?? "").slice(0, maxLength);
  const challenges: AuthChallenge[] = [];
  let at = 0;
  const read = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at = pattern.lastIndex;
    return match;
  };
  for (let match = read(scheme); match; match = read(scheme)) {
    const params = new Map<string, string>();
    if (!read(token68)) {
      for (let pair = read(param); pair; pair = read(param)) {
        const [, name = "", quotedValue, plainValue = ""] = pair;
        // The first of two parameters with one name counts.
        const key = name.toLowerCase();
        if (!params.has(key))
          params.set(key, quotedValue?.replace(/\\([^])/g, "$1") ?? plainValue);
      }
    }
    challenges.push({
      scheme: String(match[1]).toLowerCase(),
      params: Object.fromEntries(params),
    });
  }
  return challenges;
}

/**
 * The parameters of the challenge with the scheme `Bearer` or `DPoP`, at any
 * position (AUTH-06): the first with `error` or `resource_metadata`, or else
 * the first. Empty if there is none.
 */
export function oauthChallengeOf(
  header: string | undefined,
): AuthChallenge["params"] {
  const challenges = challengesOf(header).filter(
    (one) => one.scheme === "bearer" || one.scheme === "dpop",
  );
  const best =
    challenges.find(
      ({ params }) => params["error"] ?? params["resource_metadata"],
    ) ?? challenges[0];
  return best?.params ?? {};
}
