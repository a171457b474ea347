/** One HTTP request of a client's. */
export interface ClientRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: URL;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** Gets the value of a header of an answer. */
export type HeaderOf = (name: string) => string | undefined;

/** Takes what comes back for one request: a head, data, and an end; or an end with an error, at any time. */
export interface Answer {
  head(status: number, header: HeaderOf): void;
  data(chunk: Uint8Array): void;
  end(error?: Error): void;
}

/** Drops a request: nothing comes of it any more. */
export type Drop = () => void;

/** Makes HTTP requests, on whatever platform. */
export interface Requester {
  request(request: ClientRequest, answer: Answer): Drop;
  close(): void;
}
