import type { Layout } from "../view/typescript/layout.js";

const WIDTH = 80;

const NEW_LINE: Layout = { kind: "line", flat: " ", hard: true };

/** A layout that is not printed yet. The parts of a list are read one at a time by index, not copied. */
interface Frame {
  readonly indent: number;
  readonly layout: Layout;
  /** The index of the first part of a list that is still to be printed. */
  next: number;
}

/** Prints a file: fixed text unchanged, layouts broken to fit. Lines inside a layout keep the indentation of its line. */
export function printFile(parts: readonly Layout[]): string {
  const lines: string[] = [];
  // Whether a layout fits depends on the rest of its line, so parts are printed line by line.
  let lineParts: Layout[] = [];
  const flush = (): void => {
    addLine(lines, lineParts);
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
  addLine(lines, lineParts);
  return lines.join("\n");
}

/** Adds a printed line to those before it. */
function addLine(lines: string[], parts: readonly Layout[]): void {
  const first = parts[0];
  const margin = typeof first === "string" ? first.length - first.trimStart().length : 0;
  const text = parts.length === 1 && typeof first === "string" ? first.trimEnd() : printLine(parts, margin);
  // Joins brackets with nothing between them.
  const before = lines.at(-1) ?? "";
  const end = /^\s*([\]}])/.exec(text)?.[1];
  if (end !== undefined && before.endsWith(end === "}" ? "{" : "[")) {
    lines[lines.length - 1] = before + text.trimStart();
  } else lines.push(text);
}

/** Prints one line of a template, in linear time: it looks ahead at most one line width. */
function printLine(parts: readonly Layout[], margin: number): string {
  const pieces: string[] = [];
  let position = 0;
  const stack: Frame[] = [{ indent: margin, layout: parts, next: 0 }];
  for (let frame = stack.pop(); frame !== undefined; frame = stack.pop()) {
    const { layout: part, indent: level } = frame;
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
          stack.push(frame, { indent: level, layout: inner, next: 0 });
          break;
        }
      }
    } else if (part.kind === "group") {
      const remaining = WIDTH - position - part.width;
      if (remaining >= 0 && followingFits(stack, remaining)) {
        putFlat(part.of, pieces);
        position += part.width;
      } else stack.push({ indent: level, layout: part.of, next: 0 });
    } else if (part.kind === "indent") {
      stack.push({ indent: level + 2, layout: part.of, next: 0 });
    } else if (part.kind === "ifBreak") {
      stack.push({ indent: level, layout: part.broken, next: 0 });
    } else if (part.kind === "below") {
      const inner: Frame = { indent: level, layout: part.of, next: 0 };
      stack.push(inner);
      const fits = followingFits(stack, WIDTH - position - 1);
      stack.pop();
      if (fits) stack.push({ ...inner, layout: [" ", part.of] });
      else stack.push({ indent: level + 2, layout: [NEW_LINE, part.of], next: 0 });
    } else if (part.next !== undefined && position + 1 + part.next <= WIDTH) {
      pieces.push(" ");
      position += 1;
    } else {
      trimEnd(pieces);
      pieces.push("\n", " ".repeat(level));
      position = level;
    }
  }
  trimEnd(pieces);
  return pieces.join("");
}

/** Removes white space from the end of a text in pieces. */
function trimEnd(pieces: string[]): void {
  for (let last = pieces.pop(); last !== undefined; last = pieces.pop()) {
    const trimmed = last.trimEnd();
    if (trimmed === "") continue;
    pieces.push(trimmed);
    return;
  }
}

/** Puts a layout that fits on one line. */
function putFlat(layout: Layout, pieces: string[]): void {
  if (typeof layout === "string") pieces.push(layout);
  else if (isList(layout)) for (const part of layout) putFlat(part, pieces);
  else if (layout.kind === "line" || layout.kind === "ifBreak") putFlat(layout.flat, pieces);
  else {
    if (layout.kind === "below") pieces.push(" ");
    putFlat(layout.of, pieces);
  }
}

/** True if the text up to the next possible line break fits into the remaining columns. */
function followingFits(frames: readonly Frame[], columns: number): boolean {
  let remaining = columns;
  for (let i = frames.length - 1; i >= 0 && remaining >= 0 && remaining !== Infinity; i -= 1) {
    const { layout, next } = frames[i] ?? { layout: "", next: 0 };
    remaining = columnsAfter(layout, remaining, next);
  }
  return remaining >= 0;
}

/** The columns remaining after a layout: negative if it is too wide, infinite if the line can break inside. */
function columnsAfter(layout: Layout, columns: number, from = 0): number {
  if (typeof layout === "string") return columns - layout.length;
  if (isList(layout)) {
    let remaining = columns;
    for (let i = from; i < layout.length && remaining >= 0 && remaining !== Infinity; i += 1) {
      remaining = columnsAfter(layout[i] ?? "", remaining);
    }
    return remaining;
  }
  switch (layout.kind) {
    case "line":
    case "below":
      return Infinity;
    case "ifBreak":
      return columnsAfter(layout.broken, columns);
    default:
      return columnsAfter(layout.of, columns);
  }
}

function isList(layout: Layout): layout is readonly Layout[] {
  return Array.isArray(layout);
}
