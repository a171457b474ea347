/** A recorded request. */
export interface Seen {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
  /** The body of a form. */
  readonly form: Readonly<Record<string, string>>;
}

export type Answer = (
  seen: Seen,
  init: RequestInit,
) => Response | Promise<Response>;

export const json = (
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): Response => Response.json(value, { status, headers });

/** Servers in memory: handlers by URL, and the recorded requests. */
export class World {
  readonly seen: Seen[] = [];
  /** By origin and path. */
  readonly routes = new Map<string, Answer>();

  /** Replaces the network. */
  readonly fetch = async (
    target: URL | string,
    init: RequestInit = {},
  ): Promise<Response> => {
    const url = new URL(target);
    const body =
      init.body instanceof URLSearchParams
        ? init.body.toString()
        : String(init.body ?? "");
    const headers = new Headers(init.headers as Record<string, string>);
    const isForm = headers
      .get("content-type")
      ?.startsWith("application/x-www-form-urlencoded");
    const form = isForm ? Object.fromEntries(new URLSearchParams(body)) : {};
    const seen: Seen = {
      method: init.method ?? "GET",
      url,
      headers,
      body,
      form,
    };
    this.seen.push(seen);
    const answer = this.routes.get(url.origin + url.pathname);
    const response = answer
      ? await answer(seen, init)
      : new Response("not here", { status: 404 });
    init.signal?.throwIfAborted();
    return response;
  };

  /** Serves a JSON document at a URL. */
  document(url: string, value: unknown): void {
    this.routes.set(url, () => json(value));
  }

  /** The requests whose URL contains a text, in order. */
  to(text: string): Seen[] {
    return this.seen.filter(({ url }) => url.href.includes(text));
  }

  /** The paths that were requested by GET, with their hosts. */
  get gets(): string[] {
    return this.seen
      .filter(({ method }) => method === "GET")
      .map(({ url }) => url.host + url.pathname);
  }
}
