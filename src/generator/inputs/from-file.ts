import { lookup } from "node:dns/promises";
import { resolve } from "node:path";
import { isAllowedAddress, isPrivate } from "../../common/private-addresses.js";
import { makeDiagnostic, SchemaError } from "../diagnostics.js";
import { realPathInside } from "./project.js";

/** Where a text leads: to a URL, or to a path. */
type Place = { readonly url: URL } | { readonly path: string };

/** True for a text that is an address, and not a path. */
export const isAddress = (text: string): boolean =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(text);

/**
 * An address or a path that a file of a project names. A stranger may have
 * written the file, so nothing opens this as it opens what a person typed: no
 * function takes it for a text, and `place` returns only an https URL of a
 * public address, or a path inside the project.
 */
export class FromFile {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** True for this text. */
  is(text: string): boolean {
    return this.#text === text;
  }

  /** True for an address, and not a path. */
  get isAddress(): boolean {
    return isAddress(this.#text);
  }

  /** The text, for `JSON.stringify`: the file is written as it was read. */
  toJSON(): string {
    return this.#text;
  }

  /**
   * Where it leads.
   *
   * @param folder what a path is relative to
   * @throws SchemaError MG751 if no file may lead there
   */
  async place(folder: string): Promise<Place> {
    if (!this.isAddress) {
      const path = resolve(folder, this.#text);
      if ((await realPathInside(path, folder)) !== null) return { path };
      throw refused("a path", "it is outside of the project");
    }
    if (!URL.canParse(this.#text))
      throw refused("a URL", "it is not a valid URL");
    const url = new URL(this.#text);
    const problem = problemOf(url);
    if (problem !== null) throw refused(url.host, problem);
    // The address of a proxy is not known here, nor are the names that only it
    // resolves; a connection checks its address again.
    const addresses = await lookup(hostOf(url), { all: true }).catch(() => []);
    if (addresses.every(({ address }) => isAllowedAddress(address, false, [])))
      return { url };
    throw refused(url.host, "its name leads into a private network");
  }
}

function problemOf({ protocol, hostname, username, password }: URL) {
  if (username !== "" || password !== "")
    return "it contains a user name or a password";
  if (protocol !== "https:") return "it is not an https URL";
  return isPrivate(hostname) ? "it is in a private network" : null;
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "");

/** Thrown for a place that no file may name. */
export class RefusedError extends SchemaError {}

function refused(shown: string, reason: string): RefusedError {
  const message = `a file of the project names ${shown} as a source of schemas, and ${reason}`;
  const hint = "if you trust it, name it: mcpgen update --from <url|path>";
  return new RefusedError([makeDiagnostic("error", "MG751", message, hint)]);
}
