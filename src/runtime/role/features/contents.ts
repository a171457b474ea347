import { isObject, type JsonObject } from "../../message.js";

/** Standard base64, whose length must also be a multiple of four. */
const base64 = /^[A-Za-z\d+/]*={0,2}$/;
const uri = /^[a-z][a-z\d+.-]*:[^\s"<>\\^`{|}]*$/i;
const mime = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+ *(?:;.*)?$/;

/**
 * Checks the contents of a resource: each has either text or a blob (RES-03), and a blob is standard base64 (RES-10).
 *
 * @throws TypeError naming the first invalid member.
 */
export function checkContents(contents: unknown, where: string): void {
  for (const [i, one] of (Array.isArray(contents) ? contents : []).entries())
    if (isObject(one)) checkTextOrBlob(one, `${where}: contents[${i}]`);
}

/**
 * Checks the content of each message of a prompt: data is base64 and has a valid MIME type (PROMPT-03); a resource has a valid URI, and
 * either text or a blob (PROMPT-05). Returns the messages, with a default MIME type in each resource that has none.
 *
 * @throws TypeError naming the first invalid member.
 */
export function withTypes(messages: unknown, where: string): unknown {
  if (!Array.isArray(messages)) return messages;
  return messages.map((message: unknown, i) => {
    const content = isObject(message) ? message["content"] : undefined;
    if (!isObject(message) || !isObject(content)) return message;
    const path = `${where}: messages[${i}].content`;
    const { data, mimeType, resource } = content;
    if (data !== undefined && mimeType !== undefined) {
      expectIn(path, "data", data, base64, "base64");
      expectIn(path, "mimeType", mimeType, mime, "a MIME type");
    }
    if (!isObject(resource)) return message;
    checkTextOrBlob(resource, `${path}.resource`);
    expectIn(`${path}.resource`, "uri", resource["uri"], uri, "a URI");
    const defaultType = resource["blob"] === undefined ? "text/plain" : "application/octet-stream";
    const typedResource: JsonObject = { mimeType: defaultType, ...resource };
    expectIn(`${path}.resource`, "mimeType", typedResource["mimeType"], mime, "a MIME type");
    return { ...message, content: { ...content, resource: typedResource } };
  });
}

function checkTextOrBlob({ text, blob }: JsonObject, path: string): void {
  if ((text === undefined) === (blob === undefined))
    throw new TypeError(`${path}: expected either text or blob.`);
  if (blob !== undefined) expectIn(path, "blob", blob, base64, "base64");
}

function expectIn(path: string, member: string, value: unknown, form: RegExp, what: string): void {
  if (typeof value === "string" && form.test(value) && (form !== base64 || value.length % 4 === 0)) return;
  throw new TypeError(`${path}.${member}: expected ${what}, got ${JSON.stringify(value)?.slice(0, 100)}.`);
}
