/** Marks a place in a text until the text is finished: its number is between the two characters. */
const marks = /\uE000(\d+)\uE001/g;
/** Behind a line break inside a literal, where no indentation may be added. */
const literalLine = "\uE002";

/** Changes of a text by position. A part that was changed can be moved: `slice` it, then `replace` where it was. */
export class Edits {
  readonly text: string;
  #list: { readonly start: number; readonly end: number; readonly text: string }[] = [];

  constructor(text: string) {
    this.text = text;
  }

  replace(start: number, end: number, text: string): void {
    this.#list = this.#list.filter((edit) => edit.start < start || edit.end > end || edit.start === end);
    this.#list.push({ start, end, text });
  }

  insert(at: number, text: string): void {
    this.#list.push({ start: at, end: at, text });
  }

  /** Marks a place, whose position `finish` returns. */
  mark(at: number, number: number): void {
    this.insert(at, `\uE000${number}\uE001`);
  }

  /** Says that a line break is part of a literal. */
  keepLine(at: number): void {
    this.insert(at, literalLine);
  }

  slice(start: number, end: number): string {
    const inside = this.#list.filter((edit) => edit.start >= start && edit.end <= end && edit.start < end);
    // Edits at one position keep their order, and insertions come before a replacement.
    inside.sort((a, b) => a.start - b.start || a.end - b.end);
    let text = "";
    let at = start;
    for (const edit of inside) {
      // What is inside a replaced part is gone.
      if (edit.start < at) continue;
      text += this.text.slice(at, edit.start) + edit.text;
      at = edit.end;
    }
    return text + this.text.slice(at, end);
  }
}

/** Changes the indentation of all lines but the first. */
export function indent(text: string, from: string, to: string): string {
  return text.replaceAll(new RegExp(`\n${from}(?!${literalLine}|\n)`, "g"), `\n${to}`);
}

/** The text without marks, and the place of each by its number. */
export function finish(text: string): {
  readonly text: string;
  readonly places: ReadonlyMap<number, number>;
} {
  const places = new Map<number, number>();
  let length = 0;
  let last = 0;
  const plain = text.replaceAll(literalLine, "");
  const parts = [...plain.matchAll(marks)].map((match) => {
    const part = plain.slice(last, match.index);
    length += part.length;
    last = match.index + match[0].length;
    places.set(Number(match[1]), length);
    return part;
  });
  return { text: parts.join("") + plain.slice(last), places };
}
