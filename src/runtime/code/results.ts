/** A file that a tool returned. A program sees its handle, not its bytes. */
export interface CodeFile {
  /** `file-1`, as the program sees it. */
  readonly handle: string;
  readonly mimeType: string;
  /** Base64, as the server sent it. */
  readonly data: string;
}

type Block = Readonly<Record<string, unknown>>;

/** The result of a tool, as a stub resolves with it. */
interface ToolResult {
  readonly isError?: boolean;
  readonly content?: readonly Block[];
  readonly structuredContent?: unknown;
}

/**
 * What a program gets of a result: the structured content, or the texts and the
 * handles of the content. `keep` takes a file and returns its handle.
 *
 * @throws if the tool reports an error
 */
export function valueOf(
  result: unknown,
  keep: (mimeType: string, data: string) => string,
): unknown {
  const { isError, content = [], structuredContent } = result as ToolResult;
  const parts = content.map((block) => partOf(block, keep));
  const text = parts
    .flatMap(({ text: one }) => (typeof one === "string" ? [one] : []))
    .join("\n");
  if (isError === true) throw new Error(text || "The tool failed.");
  if (structuredContent !== undefined) return structuredContent;
  return { text, parts };
}

/** A block of content without bytes. */
function partOf(
  block: Block,
  keep: (mimeType: string, data: string) => string,
): Block {
  const all = { ...(block["resource"] as Block | undefined), ...block };
  const { type, text, uri, blob, data = blob, mimeType = "text/plain" } = all;
  if (typeof data !== "string") return { type, uri, text };
  const kind = String(mimeType);
  return { type: "file", handle: keep(kind, data), mimeType: kind };
}
