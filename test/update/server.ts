import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { packTar } from "modern-tar";
import { afterEach } from "vitest";

/** A request that a server got. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
}

export interface Serving {
  readonly url: string;
  readonly received: readonly Received[];
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Serves on the loopback interface until the end of the test. */
export async function serve(
  handler: Handler,
  tls?: { key: string; cert: string },
): Promise<Serving> {
  const received: Received[] = [];
  const listener: Handler = (request, response) => {
    received.push({ path: request.url ?? "", headers: request.headers });
    handler(request, response);
  };
  const server =
    tls === undefined
      ? createServer(listener)
      : createSecureServer(tls, listener);
  servers.push(server as Server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    received,
  };
}

/** An entry of an archive that is not a file. */
export interface Link {
  readonly link: string;
}

/** A .tar.gz as a hosting site makes it: everything is in one folder. */
export async function archiveOf(
  files: Readonly<Record<string, string | Link>>,
  top = "repository-abc/",
): Promise<Buffer> {
  const tar = await packTar(
    Object.entries(files).map(([path, content]) =>
      typeof content === "string"
        ? {
            header: {
              name: top + path,
              size: Buffer.byteLength(content),
              type: "file",
            },
            body: content,
          }
        : {
            header: {
              name: top + path,
              size: 0,
              type: "symlink",
              linkname: content.link,
            },
          },
    ),
  );
  return gzipSync(tar);
}

/** The commit of a state of a repository. */
export function commitOf(files: Readonly<Record<string, unknown>>): string {
  return createHash("sha1").update(JSON.stringify(files)).digest("hex");
}

/** The answer of a git server that lists its references. */
export function references(commit: string): string {
  const lines = [
    `${commit} HEAD\0multi_ack symref=HEAD:refs/heads/main\n`,
    `${commit} refs/heads/main\n`,
    ...Array.from(
      { length: 50 },
      (_, i) => `${"0".repeat(39)}1 refs/pull/${i}/head\n`,
    ),
  ];
  const packet = (line: string): string =>
    `${(line.length + 4).toString(16).padStart(4, "0")}${line}`;
  return `${packet("# service=git-upload-pack\n")}0000${lines.map(packet).join("")}0000`;
}

/** A repository on a git server. */
export interface Repository extends Serving {
  /** The URL of the repository. */
  readonly from: string;
  /** Replaces the content. */
  commit(files: Readonly<Record<string, string | Link>>): string;
  /** How often an archive was fetched. */
  archives(): number;
}

/** Handles the request for an archive in place of the repository. */
export type ArchiveHandler = (
  response: ServerResponse,
  archive: Buffer,
) => void;

export async function serveRepository(
  first: Readonly<Record<string, string | Link>>,
  handleArchive: ArchiveHandler = (response, archive) => response.end(archive),
  tls?: { key: string; cert: string },
): Promise<Repository> {
  let files = first;
  const serving = await serve((request, response) => {
    const { pathname, search } = new URL(request.url ?? "", "http://host");
    if (
      pathname === "/mcp/info/refs" &&
      search === "?service=git-upload-pack"
    ) {
      response.setHeader(
        "content-type",
        "application/x-git-upload-pack-advertisement",
      );
      response.end(references(commitOf(files)));
    } else if (pathname === `/mcp/archive/${commitOf(files)}.tar.gz`) {
      void archiveOf(files).then((archive) => handleArchive(response, archive));
    } else {
      response.writeHead(404).end();
    }
  }, tls);
  return {
    ...serving,
    from: `${serving.url}/mcp`,
    commit: (next) => {
      files = next;
      return commitOf(files);
    },
    archives: () =>
      serving.received.filter(({ path }) => path.includes("/archive/")).length,
  };
}
