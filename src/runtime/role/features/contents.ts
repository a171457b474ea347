import { isObject, type JsonObject } from "../../message.js";

/** A text of standard base64 has a length that is a multiple of four, besides. */
const base64 = /^[A-Za-z\d+/]*={0,2}$/;
const uri = /^[a-z][a-z\d+.-]*:[^\s"<>\\^`{|}]*$/i;
const mime = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+ *(?:;.*)?$/;

/** RES-03: throws a `TypeError` unless what was read has either text or a blob, which is standard base64 (RES-10). */
export function checkContents(contents: unknown, where: string): void {
  for (const [i, one] of (Array.isArray(contents) ? contents : []).entries())
    if (isObject(one)) checkOne(one, `${where}: contents[${i}]`);
}

/**
 * PROMPT-03, PROMPT-05: throws a `TypeError` for a message that holds what is no base64, a type that is none, or a resource with a URI
 * that is none, or with both text and blob. A resource gets the MIME type that it lacks.
 */
export function withTypes(messages: unknown, where: string): unknown {
  if (!Array.isArray(messages)) return messages;
  return messages.map((message: unknown, i) => {
    const content = isObject(message) ? message["content"] : undefined;
    if (!isObject(message) || !isObject(content)) return message;
    const place = `${where}: messages[${i}].content`;
    const { type, data, mimeType, resource } = content;
    if (type === "image" || type === "audio") {
      expectIn(place, "data", data, base64, "base64");
      expectIn(place, "mimeType", mimeType, mime, "a MIME type");
    }
    if (type !== "resource" || !isObject(resource)) return message;
    checkOne(resource, `${place}.resource`);
    expectIn(`${place}.resource`, "uri", resource["uri"], uri, "a URI");
    const usual = resource["blob"] === undefined ? "text/plain" : "application/octet-stream";
    const typed: JsonObject = { mimeType: usual, ...resource };
    expectIn(`${place}.resource`, "mimeType", typed["mimeType"], mime, "a MIME type");
    return { ...message, content: { ...content, resource: typed } };
  });
}

function checkOne({ text, blob }: JsonObject, place: string): void {
  if ((text === undefined) === (blob === undefined))
    throw new TypeError(`${place}: expected either text or blob.`);
  if (blob !== undefined) expectIn(place, "blob", blob, base64, "base64");
}

function expectIn(place: string, member: string, value: unknown, form: RegExp, what: string): void {
  if (typeof value === "string" && form.test(value) && (form !== base64 || value.length % 4 === 0)) return;
  throw new TypeError(`${place}.${member}: expected ${what}, got ${JSON.stringify(value)?.slice(0, 100)}.`);
}
