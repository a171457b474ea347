// A minimal HTTP client, so that the benchmark uses little CPU time compared
// with the server.
import { connect } from "node:net";

/**
 * One persistent connection. It uses little CPU time, so that the server has
 * its own core.
 */
export class Line {
  #socket;
  #text = "";
  #answered;

  constructor(port) {
    this.#socket = connect(port, "127.0.0.1").setNoDelay();
    this.#socket.setEncoding("latin1").on("data", (chunk) => {
      this.#text += chunk;
      const head = this.#text.indexOf("\r\n\r\n");
      if (head === -1) return;
      const length = /content-length: (\d+)/i.exec(this.#text)?.[1];
      const last = this.#text.indexOf("\r\n0\r\n\r\n", head + 2);
      if (
        length === undefined
          ? last === -1
          : this.#text.length < head + 4 + Number(length)
      )
        return;
      const answer = this.#text;
      this.#text = "";
      this.#answered(answer);
    });
  }

  send(text) {
    this.#socket.write(text);
    return new Promise((resolve) => (this.#answered = resolve));
  }

  close() {
    this.#socket.destroy();
  }
}

/** The text of a request with this JSON body. */
export function post(body, headers) {
  const text = JSON.stringify(body);
  const all = {
    host: "127.0.0.1",
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "content-length": text.length,
    ...headers,
  };
  const lines = Object.entries(all).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `POST /mcp HTTP/1.1\r\n${lines.join("")}\r\n${text}`;
}
