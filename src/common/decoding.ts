import type { Readable } from "node:stream";

/** A response of `node:http`. */
interface CodedResponse extends Readable {
  readonly headers: {
    readonly "content-encoding"?: string | undefined;
    readonly "content-length"?: string | undefined;
  };
}

/**
 * Returns the body of a response without its content coding (RFC 9110, section
 * 8.4). Each chunk is decoded when it arrives, and the size of the result is
 * not limited. For Node: `fetch` decodes bodies itself.
 *
 * @param refuse makes the error for a coding that is not gzip, deflate or br
 */
export function decodedBody(
  response: CodedResponse,
  refuse: (message: string) => Error,
): Readable {
  const { "content-encoding": header = "", "content-length": length } =
    response.headers;
  const coding = header.trim().toLowerCase();
  if (coding === "" || coding === "identity" || length === "0") return response;
  const { constants, createBrotliDecompress, createUnzip } =
    process.getBuiltinModule("node:zlib");
  const decoder = /^((x-)?gzip|deflate)$/.test(coding)
    ? createUnzip({ flush: constants.Z_SYNC_FLUSH })
    : coding === "br" &&
      createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH });
  if (!decoder) {
    const name = JSON.stringify(coding.slice(0, 100));
    throw refuse(
      `The response has the content coding ${name}, which is not gzip, deflate or br. Send it without one.`,
    );
  }
  // An error of the response is one of the decoder.
  process.getBuiltinModule("node:stream").pipeline(response, decoder, () => {});
  return decoder;
}
