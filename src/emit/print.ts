import type { Layout } from "../view/layout.js";

const WIDTH = 80;

const NEW_LINE: Layout = { kind: "line", flat: " ", hard: true };

/** A layout that is still to be printed. A list keeps its place: its parts are read one at a time, and never copied. */
interface Frame {
  readonly indent: number;
  readonly flat: boolean;
  readonly layout: Layout;
  /** The index of the first part of a list that is still to be printed. */
  next: number;
}

/** Prints a file: fixed text as it stands, layouts broken to fit. Lines inside a layout keep its line's indentation. */
export function printFile(parts: readonly Layout[]): string {
  const printer = new Printer();
  // A layout fits only when what follows it on its line does too, so parts are printed line by line.
  let lineParts: Layout[] = [];
  const flush = (): void => {
    printer.line(lineParts);
    lineParts = [];
  };
  for (const part of parts) {
    if (typeof part !== "string") {
      lineParts.push(part);
      continue;
    }
    const [first = "", ...others] = part.split("\n");
    lineParts.push(first);
    for (const text of others) {
      flush();
      lineParts.push(text);
    }
  }
  printer.line(lineParts);
  return printer.text;
}

class Printer {
  readonly #lines: string[] = [];

  get text(): string {
    return this.#lines.join("\n");
  }

  line(parts: readonly Layout[]): void {
    const first = parts[0];
    const margin = typeof first === "string" ? first.length - first.trimStart().length : 0;
    const text = printLine(parts, margin);
    // Brackets that a template had nothing to put between.
    const before = this.#lines.at(-1) ?? "";
    const end = /^\s*([\]}])/.exec(text)?.[1];
    if (end !== undefined && before.endsWith(end === "}" ? "{" : "[")) {
      this.#lines[this.#lines.length - 1] = before + text.trimStart();
    } else this.#lines.push(text);
  }
}

/** Prints one line of a template. Takes time in proportion to what it prints: each part is read once, and `fits` looks 80 columns ahead. */
function printLine(parts: readonly Layout[], margin: number): string {
  const pieces: string[] = [];
  let position = 0;
  const stack: Frame[] = [{ indent: margin, flat: false, layout: parts, next: 0 }];
  for (let frame = stack.pop(); frame !== undefined; frame = stack.pop()) {
    const { layout: part, flat, indent: level } = frame;
    if (typeof part === "string") {
      pieces.push(part);
      position += part.length;
    } else if (isList(part)) {
      while (frame.next < part.length) {
        const inner = part[frame.next] ?? "";
        frame.next += 1;
        if (typeof inner === "string") {
          pieces.push(inner);
          position += inner.length;
        } else {
          stack.push(frame, { indent: level, flat, layout: inner, next: 0 });
          break;
        }
      }
    } else if (part.kind === "indent") {
      stack.push({ indent: level + 2, flat, layout: part.of, next: 0 });
    } else if (part.kind === "ifBreak") {
      stack.push({ indent: level, flat, layout: flat ? part.flat : part.broken, next: 0 });
    } else if (part.kind === "below") {
      stack.push({ indent: level, flat, layout: part.of, next: 0 });
      const space: Frame = { indent: level, flat: true, layout: " ", next: 0 };
      const hangs = !flat && !fits(space, stack, WIDTH - position);
      stack.pop();
      const layout: Layout = hangs ? { kind: "indent", of: [NEW_LINE, part.of] } : [" ", part.of];
      stack.push({ indent: level, flat, layout, next: 0 });
    } else if (part.kind === "group") {
      const next: Frame = { indent: level, flat: true, layout: part.of, next: 0 };
      stack.push(flat || fits(next, stack, WIDTH - position) ? next : { ...next, flat: false });
    } else if (flat && !part.hard) {
      pieces.push(part.flat);
      position += part.flat.length;
    } else {
      trimEnd(pieces);
      pieces.push(`\n${" ".repeat(level)}`);
      position = level;
    }
  }
  trimEnd(pieces);
  return pieces.join("");
}

/** Removes the white space at the end of a text that is still in pieces. */
function trimEnd(pieces: string[]): void {
  for (let last = pieces.pop(); last !== undefined; last = pieces.pop()) {
    const trimmed = last.trimEnd();
    if (trimmed === "") continue;
    pieces.push(trimmed);
    return;
  }
}

/** Does the frame fit flat into the columns left, with what follows up to the next possible line break? */
function fits(next: Frame, rest: readonly Frame[], width: number): boolean {
  let left = width;
  let restIndex = rest.length;
  const stack: Frame[] = [{ ...next }];
  while (left >= 0) {
    let frame = stack.pop();
    if (frame === undefined) {
      restIndex -= 1;
      const following = rest[restIndex];
      if (following === undefined) return true;
      // A copy: reading ahead must not move the place of what is still to be printed.
      frame = { ...following };
    }
    const { layout: part, flat, indent } = frame;
    if (typeof part === "string") {
      left -= part.length;
    } else if (isList(part)) {
      pushNext(stack, frame, part);
    } else if (part.kind === "indent" || part.kind === "group") {
      stack.push({ indent, flat, layout: part.of, next: 0 });
    } else if (part.kind === "below") {
      stack.push({ indent, flat, layout: [" ", part.of], next: 0 });
    } else if (part.kind === "ifBreak") {
      stack.push({ indent, flat, layout: flat ? part.flat : part.broken, next: 0 });
    } else if (part.hard) {
      return restIndex < rest.length;
    } else if (!flat) {
      return true;
    } else {
      left -= part.flat.length;
    }
  }
  return false;
}

/** Pushes the next part of a list that has text, above what remains of the list. */
function pushNext(stack: Frame[], frame: Frame, parts: readonly Layout[]): void {
  while (frame.next < parts.length) {
    const part = parts[frame.next];
    frame.next += 1;
    if (part === undefined || part === "") continue;
    if (frame.next < parts.length) stack.push(frame);
    stack.push({ indent: frame.indent, flat: frame.flat, layout: part, next: 0 });
    return;
  }
}

function isList(layout: Layout): layout is readonly Layout[] {
  return Array.isArray(layout);
}
