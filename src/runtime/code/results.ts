/** A file that a tool returned. A program sees its handle, not its bytes. */
export interface CodeFile {
  /** `file-1`, as the program sees it. */
  readonly handle: string;
  readonly mimeType: string;
  /** Base64, as the server sent it. */
  readonly data: string;
}

interface Block {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly data?: unknown;
  readonly mimeType?: unknown;
  readonly uri?: unknown;
  readonly name?: unknown;
  readonly resource?: {
    readonly uri?: unknown;
    readonly text?: unknown;
    readonly blob?: unknown;
    readonly mimeType?: unknown;
  };
}

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
    .flatMap((part) => ("text" in part ? [part.text] : []))
    .join("\n");
  if (isError === true) throw new Error(text || "The tool failed.");
  if (structuredContent !== undefined) return structuredContent;
  return { text, parts };
}

type Part = { readonly text: string } | Readonly<Record<string, unknown>>;

/** A block of content without bytes. */
function partOf(
  { type, text, data, mimeType, uri, name, resource }: Block,
  keep: (mimeType: string, data: string) => string,
): Part {
  const kind = String(mimeType ?? resource?.mimeType ?? "text/plain");
  if (typeof text === "string") return { type, text };
  const bytes = data ?? resource?.blob;
  if (typeof bytes === "string") {
    const size = Math.floor((bytes.length * 3) / 4);
    const handle = keep(kind, bytes);
    return { type: "file", handle, mimeType: kind, size };
  }
  if (typeof resource?.text === "string")
    return { type: "resource", uri: resource.uri, text: resource.text };
  return { type, uri, name };
}
