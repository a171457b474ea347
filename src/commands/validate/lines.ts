/** The maximum length of a line, in bytes. */
const maxLength = 64 * 1024 * 1024;

/**
 * One line of a stream. If it is too long or not UTF-8, the text is null and
 * `problem` says why.
 */
export type Line =
  | { readonly number: number; readonly text: string }
  | { readonly number: number; readonly text: null; readonly problem: string };

/**
 * Splits a stream of bytes into lines and keeps at most one in memory. A line
 * ends with LF or CR LF.
 */
export async function* readLines(
  input: AsyncIterable<Uint8Array>,
): AsyncGenerator<Line> {
  let number = 1;
  let chunks: Uint8Array[] = [];
  let size = 0;
  const take = (): Line => {
    const line = decodeLine(number++, chunks, size);
    chunks = [];
    size = 0;
    return line;
  };
  const hold = (bytes: Uint8Array): void => {
    size += bytes.length;
    if (size <= maxLength) chunks.push(bytes);
  };
  for await (const chunk of input) {
    let start = 0;
    for (
      let feed = chunk.indexOf(10);
      feed !== -1;
      feed = chunk.indexOf(10, start)
    ) {
      hold(chunk.subarray(start, feed));
      yield take();
      start = feed + 1;
    }
    // Copied because the stream may reuse its buffer.
    if (start < chunk.length) hold(chunk.slice(start));
  }
  if (size > 0) yield take();
}

function decodeLine(
  number: number,
  chunks: readonly Uint8Array[],
  size: number,
): Line {
  if (size > maxLength) {
    return {
      number,
      text: null,
      problem: `it is longer than the maximum of ${maxLength / 1024 / 1024} MiB`,
    };
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(
      Buffer.concat(chunks),
    );
    return { number, text: text.endsWith("\r") ? text.slice(0, -1) : text };
  } catch {
    return { number, text: null, problem: "it is not valid UTF-8" };
  }
}
