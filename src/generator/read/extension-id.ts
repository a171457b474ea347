/**
 * The id of an extension: a prefix of labels, a slash and a name (requirement
 * EXT-01).
 */
const identifier =
  /^([A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?\.)*[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?\/[A-Za-z0-9]([\w.-]*[A-Za-z0-9])?$/;

/** True for the id of an extension. */
export const isExtensionId = (text: string): boolean =>
  text.length <= 200 && identifier.test(text);

/** An id that the user gives an extension, and where the extension is. */
export interface GivenExtension {
  /** Absent if the schema says it. */
  readonly id: string | undefined;
  /** A path or a URL. */
  readonly place: string;
}

/** Parses `com.example/name=<place>` or `<place>`. */
export function givenExtension(word: string): GivenExtension {
  const end = word.indexOf("=");
  const id = word.slice(0, Math.max(end, 0));
  return isExtensionId(id)
    ? { id, place: word.slice(end + 1) }
    : { id: undefined, place: word };
}

/** How much of a comment is searched, in characters. */
const maxComment = 2000;

/**
 * The id that a comment names after the word "identifier" or "id"; null without
 * one.
 */
export function idInComment(comment: string): string | null {
  const words = comment
    .slice(0, maxComment)
    .split(/[\s*"'`]+/)
    .map((word) => word.replace(/[.,;:]$/, ""));
  const id = words.find(
    (word, index) =>
      /^(identifier|id)$/i.test(words[index - 1] ?? "") && isExtensionId(word),
  );
  return id ?? null;
}
