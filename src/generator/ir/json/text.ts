import type { Json } from "../json.js";

const lineWidth = 80;

/**
 * JSON as Prettier formats it by default: an object has a line for each member,
 * a list is on one line if it fits.
 */
export function jsonText(value: Json): string {
  return `${print(value, "", 0)}\n`;
}

/** Prints a value after other text of its line, which takes up some columns. */
function print(value: Json, margin: string, columns: number): string {
  const flat = flatText(value);
  if (
    flat !== null &&
    (typeof value !== "object" || columns + widthOf(flat) <= lineWidth)
  )
    return flat;
  const inner = `${margin}  `;
  if (!Array.isArray(value)) {
    const members = Object.entries(value as Readonly<Record<string, Json>>).map(
      ([name, member], i, all) => {
        const key = `${inner}${JSON.stringify(name)}: `;
        return key + print(member, inner, widthOf(key) + commaAfter(i, all));
      },
    );
    return `{\n${members.join(",\n")}\n${margin}}`;
  }
  const items = value as readonly Json[];
  const isNumbers =
    items.length > 1 && items.every((item) => typeof item === "number");
  const lines = isNumbers
    ? filled(
        items.map((item) => flatText(item) ?? ""),
        inner,
      )
    : items.map(
        (item, i, all) =>
          inner + print(item, inner, inner.length + commaAfter(i, all)),
      );
  return `[\n${lines.join(",\n")}\n${margin}]`;
}

const commaAfter = (index: number, { length }: readonly unknown[]): number =>
  index < length - 1 ? 1 : 0;

/**
 * A value on one line; null for an object, a list with one, a list of lists,
 * and a list that is too wide for any line.
 */
function flatText(value: Json): string | null {
  if (typeof value === "number") return String(value).replace("e+", "e");
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (!Array.isArray(value))
    return Object.keys(value).length === 0 ? "{}" : null;
  const items = value as readonly Json[];
  if (
    items.length > 1 &&
    items.every((item) => Array.isArray(item) && item.length > 1)
  )
    return null;
  let text = "";
  for (const item of items) {
    const part = flatText(item);
    if (part === null || text.length > lineWidth) return null;
    text += text === "" ? part : `, ${part}`;
  }
  return `[${text}]`;
}

/** Numbers in lines that are as long as possible. */
function filled(numbers: readonly string[], margin: string): string[] {
  const lines: string[] = [];
  for (const [i, number] of numbers.entries()) {
    const line = `${lines.at(-1) ?? ""}, ${number}`;
    if (lines.length > 0 && line.length + commaAfter(i, numbers) <= lineWidth)
      lines[lines.length - 1] = line;
    else lines.push(margin + number);
  }
  return lines;
}

/**
 * The number of columns of a text: letters of East Asian scripts and emoji take
 * two.
 */
function widthOf(text: string): number {
  return text.replace(
    /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{Emoji_Presentation}\uFF01-\uFF60]/gu,
    "  ",
  ).length;
}
