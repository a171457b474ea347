import { isObject, type JsonObject } from "../../common/object.js";

/** Standard base64, whose length must also be a multiple of four. */
const base64 = /^[A-Za-z\d+/]*={0,2}$/;
const uri = /^[a-z][a-z\d+.-]*:[^\s"<>\\^`{|}]*$/i;
const mime = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+ *(?:;.*)?$/;

/**
 * Checks the contents of a resource: each has either text or a blob (RES-03),
 * and a blob is standard base64 (RES-10).
 *
 * @throws TypeError naming the first invalid member.
 */
export function checkContents(contents: unknown, where: string): void {
  for (const [i, one] of (Array.isArray(contents) ? contents : []).entries())
    if (isObject(one)) checkTextOrBlob(one, `${where}: contents[${i}]`);
}

/**
 * Checks the content of each message of a prompt: data is base64 and has a
 * valid MIME type (PROMPT-03); a resource has a valid URI, and either text or a
 * blob (PROMPT-05). Returns the messages, with a default MIME type in each
 * resource that has none.
 *
 * @throws TypeError naming the first invalid member.
 */
export function withTypes(
  messages: readonly unknown[],
  where: string,
): unknown {
  const typed = (message: unknown, i: number): unknown =>
    isObject(message)
      ? {
          ...message,
          content: withType(
            message["content"],
            `${where}: messages[${i}].content`,
          ),
        }
      : message;
  return messages.map(typed);
}

/**
 * Checks the blocks in the result of a tool as those of a prompt. Returns the
 * result, with a default MIME type in each resource that has none.
 *
 * @throws TypeError naming the first invalid member.
 */
export function withTypedBlocks(result: JsonObject, where: string): JsonObject {
  const { content } = result;
  if (!Array.isArray(content)) return result;
  const typed = content.map((block: unknown, i) =>
    withType(block, `${where}: content[${i}]`),
  );
  return typed.every((block, i) => block === content[i])
    ? result
    : { ...result, content: typed };
}

function withType(block: unknown, path: string): unknown {
  if (!isObject(block)) return block;
  const { data, mimeType, resource } = block;
  if (data !== undefined && mimeType !== undefined) {
    expectIn(path, "data", data, base64, "base64");
    expectIn(path, "mimeType", mimeType, mime, "a MIME type");
  }
  if (!isObject(resource)) return block;
  checkTextOrBlob(resource, `${path}.resource`);
  expectIn(`${path}.resource`, "uri", resource["uri"], uri, "a URI");
  const defaultType =
    resource["blob"] === undefined ? "text/plain" : "application/octet-stream";
  const typedResource: JsonObject = { mimeType: defaultType, ...resource };
  expectIn(
    `${path}.resource`,
    "mimeType",
    typedResource["mimeType"],
    mime,
    "a MIME type",
  );
  return resource["mimeType"] === undefined
    ? { ...block, resource: typedResource }
    : block;
}

function checkTextOrBlob({ text, blob }: JsonObject, path: string): void {
  if ((text === undefined) === (blob === undefined))
    throw new TypeError(`${path}: expected either text or blob.`);
  if (blob !== undefined) expectIn(path, "blob", blob, base64, "base64");
}

function expectIn(
  path: string,
  member: string,
  value: unknown,
  form: RegExp,
  what: string,
): void {
  if (
    typeof value === "string" &&
    form.test(value) &&
    (form !== base64 || value.length % 4 === 0)
  )
    return;
  const advice =
    form === base64
      ? " Write only standard base64 (A-Z a-z 0-9 + / =), without a data: URL."
      : "";
  throw new TypeError(
    `${path}.${member}: expected ${what}, got ${JSON.stringify(value)?.slice(0, 100)}.${advice}`,
  );
}
