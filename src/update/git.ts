import { isCommit } from "../sources/lock.js";
import { get, type Requests } from "./http.js";
import { unreachable } from "./unreachable.js";

/** The first reference is that of the default branch; the rest of a list, which may have thousands, is not read. */
const maxBytes = 1_000_000;

/** Requests the commit of the default branch of a repository, with the smart HTTP protocol of git. */
export async function headCommit(repository: URL, requests: Requests): Promise<string> {
  const url = new URL(`${repository.href}/info/refs?service=git-upload-pack`);
  const { status, headers, body, close } = await get(url, { accept: "*/*" }, maxBytes, requests);
  try {
    if (status !== 200) throw statusError(repository, status);
    const type = String(headers["content-type"]);
    if (!type.startsWith("application/x-git-upload-pack-advertisement")) {
      throw unreachable(
        `${repository.href} is not a git repository: its response has the type ${type.slice(0, 80)}`,
        "use the URL of a repository, or of a .tar.gz archive",
      );
    }
    for await (const line of packetLines(body)) {
      const commit = commitIn(line);
      if (commit !== null) return commit;
    }
  } finally {
    close();
  }
  throw unreachable(`${repository.href} has no default branch`, "use a repository with commits");
}

/** The error for an HTTP status that is not a success. */
export function statusError({ host, href }: URL, status: number): Error {
  if (status === 404 || status === 401 || status === 403) {
    const reason = status === 404 ? "does not exist, or is not public" : "denies access";
    return unreachable(
      `${href} ${reason} (HTTP status ${status})`,
      "check the URL; GITHUB_TOKEN gives access to a private repository of GitHub",
    );
  }
  return unreachable(`${host} answers with HTTP status ${status}`, "try again later");
}

/** The commit of `HEAD` in a line of the list; null in any other line. */
function commitIn(line: string): string | null {
  const [commit = "", name = ""] = (line.split("\0", 1)[0] ?? "").trimEnd().split(" ");
  return name === "HEAD" && isCommit(commit) ? commit : null;
}

/** Splits the response into lines, each of which begins with its length as four hexadecimal digits. */
async function* packetLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let buffer = Buffer.alloc(0);
  for await (const chunk of body) {
    buffer = Buffer.concat([buffer, chunk]);
    while (buffer.length >= 4) {
      const digits = buffer.toString("latin1", 0, 4);
      if (!/^[0-9a-f]{4}$/i.test(digits)) {
        throw unreachable("the list of references cannot be read", "use the URL of a git repository");
      }
      // A length below 4 is a separator.
      const length = Math.max(4, Number.parseInt(digits, 16));
      if (buffer.length < length) break;
      yield buffer.toString("utf8", 4, length);
      buffer = buffer.subarray(length);
    }
  }
}
