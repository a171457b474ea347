/** The longest line that is looked at, in bytes. */
export const longest = 64 * 1024 * 1024;

/** One line of a stream; the text is null when the line is too long or not UTF-8, and `problem` says which. */
export type Line =
  | { readonly number: number; readonly text: string }
  | { readonly number: number; readonly text: null; readonly problem: string };

/** Splits a stream of bytes into lines, holding no more than one of them. A line ends in LF or CR LF. */
export async function* readLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let number = 1;
  let held: Uint8Array[] = [];
  let size = 0;
  const take = (): Line => {
    const line = decodeLine(number++, held, size);
    held = [];
    size = 0;
    return line;
  };
  const hold = (bytes: Uint8Array): void => {
    size += bytes.length;
    if (size <= longest) held.push(bytes);
  };
  for await (const chunk of input) {
    let start = 0;
    for (let feed = chunk.indexOf(10); feed !== -1; feed = chunk.indexOf(10, start)) {
      hold(chunk.subarray(start, feed));
      yield take();
      start = feed + 1;
    }
    // The stream may reuse its buffer, and what is left of it waits for the next chunk.
    if (start < chunk.length) hold(chunk.slice(start));
  }
  if (size > 0) yield take();
}

function decodeLine(number: number, held: readonly Uint8Array[], size: number): Line {
  if (size > longest) {
    return {
      number,
      text: null,
      problem: `it is longer than ${longest / 1024 / 1024} MiB, the maximum`,
    };
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(held));
    return { number, text: text.endsWith("\r") ? text.slice(0, -1) : text };
  } catch {
    return { number, text: null, problem: "it is not valid UTF-8" };
  }
}
