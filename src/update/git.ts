import { isCommit } from "../sources/lock.js";
import { get, type Requests } from "./http.js";
import { unreachable } from "./unreachable.js";

/** The length of the list of references that is read: the default branch is the first one, and a list may have many thousands. */
const maxLength = 65_536;

/** Requests the commit of the default branch of a repository, with the smart HTTP protocol of git. */
export async function headCommit(repository: URL, requests: Requests): Promise<string> {
  const url = new URL(`${repository.href}/info/refs?service=git-upload-pack`);
  const list = await get(url, { maxBytes: 1_000_000, shown: repository }, requests, async (body, headers) => {
    const type = String(headers["content-type"]);
    if (!type.startsWith("application/x-git-upload-pack-advertisement")) {
      throw unreachable(
        `${repository.href} is not a git repository: its response has the type ${type.slice(0, 80)}`,
        "use the URL of a repository, or of a .tar.gz archive",
      );
    }
    let text = "";
    for await (const chunk of body) {
      text += Buffer.from(chunk).toString("latin1");
      if (text.length >= maxLength) break;
    }
    return text;
  });
  // Each line begins with its length as four hexadecimal digits.
  const [, commit = ""] = /[0-9a-f]{4}([0-9a-f]{40}|[0-9a-f]{64}) HEAD[\0\n]/.exec(list ?? "") ?? [];
  if (isCommit(commit)) return commit;
  throw unreachable(`${repository.href} has no default branch`, "use a repository with commits");
}
