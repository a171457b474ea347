import { httpAddress, stdioAddress } from "../live/find-address.js";
import { redacted, secretsOf } from "../live/secrets.js";
import type { Source } from "./find.js";

/** The text of a source for display, without what looks like a secret. */
export function shownSource({ kind, text }: Source): string {
  if (kind !== "url" && kind !== "command") return text;
  const read = kind === "url" ? httpAddress : stdioAddress;
  return redacted(text, secretsOf(read(text)));
}
