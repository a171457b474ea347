/**
 * The URL of a server's protected resource metadata, and the handlers that
 * serve it (RFC 9728).
 */
export interface ResourceMetadata {
  /** The URL of the document, for challenges. */
  readonly url: string;
  /**
   * Handlers of the document by path: that of the resource, and that of the
   * origin (AUTH-03).
   */
  readonly routes: Readonly<
    Record<string, (request: Request) => Promise<Response>>
  >;
}

/**
 * Creates the handlers of a metadata document. Its content and its URLs come
 * from the configuration only, never from a request.
 */
export function resourceMetadata(
  resource: string,
  document: Readonly<Record<string, unknown>>,
): ResourceMetadata {
  const { origin, pathname, search } = new URL(resource);
  const root = "/.well-known/oauth-protected-resource";
  const path = pathname === "/" ? root : root + pathname;
  const text = JSON.stringify({ resource, ...document });
  const answer = async ({ method }: Request): Promise<Response> => {
    if (method === "OPTIONS")
      return new Response(null, { status: 204, headers: preflightHeaders });
    if (method === "GET" || method === "HEAD")
      return new Response(text, { headers: documentHeaders });
    return new Response(null, {
      status: 405,
      headers: { allow: "GET, HEAD, OPTIONS" },
    });
  };
  return {
    url: origin + path + search,
    routes: { [path]: answer, [root]: answer },
  };
}

const documentHeaders = {
  "content-type": "application/json",
  // Clients in pages of any origin may read it: it holds no secret.
  "access-control-allow-origin": "*",
  "cache-control": "public, max-age=3600",
};

const preflightHeaders = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, HEAD",
  "access-control-allow-headers": "*",
  "access-control-max-age": "86400",
};
