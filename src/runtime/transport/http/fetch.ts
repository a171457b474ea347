import type { Answer, ClientRequest, Drop, Requester } from "./client-wire.js";

/** The part of the web's `fetch` that is used here. */
export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

/** Makes requests by `fetch`. */
export function fetchRequester(fetch: Fetch): Requester {
  return {
    request: (request, answer) => ask(fetch, request, answer),
    close: () => {},
  };
}

function ask(fetch: Fetch, { method, url, headers, body }: ClientRequest, answer: Answer): Drop {
  const controller = new AbortController();
  const { signal } = controller;
  const read = async (): Promise<void> => {
    const init: RequestInit = { method, headers, signal, redirect: "manual" };
    const response = await fetch(url, body === undefined ? init : { ...init, body });
    if (signal.aborted) return;
    answer.head(response.status, (name) => response.headers.get(name) ?? undefined);
    const reader = response.body?.getReader();
    for (
      let part = await reader?.read();
      part && !part.done && !signal.aborted;
      part = await reader?.read()
    ) {
      answer.data(part.value);
    }
  };
  read().then(
    () => signal.aborted || answer.end(),
    (error: unknown) =>
      signal.aborted || answer.end(error instanceof Error ? error : new Error(String(error))),
  );
  return () => controller.abort();
}
