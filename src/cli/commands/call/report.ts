import {
  isList,
  isRecord,
  parseOrUndefined,
} from "../../../generator/ir/json/value.js";
import type { Schema } from "../../../generator/ir/constraint.js";
import {
  type Json,
  type JsonRecord,
  exact,
} from "../../../generator/ir/json.js";
import type { Snapshot } from "../../../generator/ir/snapshot/model.js";
import { formatBytes, visibleJson, type Style } from "../../terminal.js";
import { parametersOf } from "./parameters.js";
import { expectation } from "./types.js";

/**
 * The result of a call for a reader: the messages of a prompt with their roles,
 * the contents of a resource, or the result of a tool: its content, then its
 * structured content, unless a text of the content is the same value as JSON.
 */
export function resultText(result: JsonRecord): string {
  const { messages, contents, content } = result;
  if (isList(messages)) {
    return messages.map(messageText).join("");
  }
  if (isList(contents)) {
    return contents.map(contentText).join("");
  }
  const blocks = isList(content) ? content : [];
  const structured = result["structuredContent"];
  const shown =
    structured === undefined
      ? blocks
      : blocks.filter((block) => !repeats(block, structured));
  const parts = shown.map(blockText);
  if (structured !== undefined) {
    parts.push(asJson(structured));
  }
  return parts.map(ended).join("");
}

/**
 * True for a block whose text is this value as JSON: a server repeats the
 * structured content for older clients.
 */
function repeats(block: Json, structured: Json): boolean {
  if (!isRecord(block) || block["type"] !== "text") {
    return false;
  }
  const { text } = block;
  if (typeof text !== "string") {
    return false;
  }
  const value = parseOrUndefined(text);
  return value !== undefined && exact(value) === exact(structured);
}

function messageText(message: Json): string {
  if (!isRecord(message)) return ended(asJson(message));
  const { role, content = null } = message;
  return ended(`${oneLine(String(role))}: ${blockText(content)}`);
}

/** The text of one content of a resource, or a description of its bytes. */
function contentText(content: Json): string {
  if (!isRecord(content)) return ended(asJson(content));
  return ended(
    typeof content["text"] === "string"
      ? content["text"]
      : resourceText(content),
  );
}

const ended = (text: string): string =>
  text.endsWith("\n") || text === "" ? text : `${text}\n`;

/**
 * One block of content. Binary content is described, and content of an unknown
 * kind is printed as JSON.
 */
function blockText(block: Json): string {
  if (!isRecord(block)) return asJson(block);
  const { type, text, data, mimeType, uri, name, resource } = block;
  if (type === "text" && typeof text === "string") return text;
  if ((type === "image" || type === "audio") && typeof data === "string") {
    return `[${type}: ${words(mimeType, sizeOf(data))}]`;
  }
  if (type === "resource_link" && typeof uri === "string") {
    return `[resource link: ${words(uri, name, mimeType)}]`;
  }
  if (type === "resource" && isRecord(resource)) {
    return resourceText(resource);
  }
  return asJson(block);
}

function resourceText({ uri, mimeType, text, blob }: JsonRecord): string {
  const size = typeof blob === "string" ? sizeOf(blob) : undefined;
  const head = `[resource: ${words(uri, mimeType, size)}]`;
  return typeof text === "string" ? `${head}\n${text}` : head;
}

/**
 * The tools with their arguments, one per line:
 * `name(city: string, days?: integer)  What it does.`
 */
export function toolsText(snapshot: Snapshot, style: Style): string {
  if (snapshot.tools.length === 0) return "the server offers no tools\n";
  const lines = snapshot.tools.map(({ name, title, description, input }) => {
    const { properties, required, schemas } = parametersOf(input, snapshot);
    const shown = (
      [argument, schema]: readonly [string, Schema],
      mark: string,
    ): string => `${argument}${mark}: ${expectation(schema, schemas)}`;
    const mandatory = [...properties].filter(([argument]) =>
      required.includes(argument),
    );
    const optional = [...properties].filter(
      ([argument]) => !required.includes(argument),
    );
    const list = [
      ...mandatory.map((each) => shown(each, "")),
      ...optional.map((each) => shown(each, "?")),
    ];
    const [about = ""] = (description ?? title ?? "").trim().split("\n");
    const call = oneLine(`(${list.join(", ")})`);
    const said = about === "" ? "" : `  ${style.dim(oneLine(about))}`;
    return `${style.bold(oneLine(name))}${call}${said}\n`;
  });
  return lines.join("");
}

const oneLine = (text: string): string =>
  text.replaceAll(/\s+/g, " ").slice(0, 400);

const words = (...parts: readonly unknown[]): string =>
  parts
    .filter((part) => typeof part === "string" && part !== "")
    .join(", ")
    .replaceAll("\n", " ");

/** The size of data in Base64. */
const sizeOf = (data: string): string =>
  formatBytes(Buffer.byteLength(data, "base64"));

const asJson = (value: Json): string =>
  visibleJson(JSON.stringify(value, null, 2));
