import type { Layout } from "../view/typescript/layout.js";

const lineWidth = 80;

/**
 * The parts of a list that are still to be printed. They are read one at a time
 * by index, not copied.
 */
interface Frame {
  readonly indent: number;
  readonly parts: readonly Layout[];
  /** The index of the first of them. */
  next: number;
}

/**
 * Prints a file: fixed text unchanged, layouts broken to fit. Lines inside a
 * layout keep the indentation of its line.
 */
export function printFile(parts: readonly Layout[]): string {
  const lines: string[] = [];
  // Whether a layout fits depends on the rest of its line, so parts are printed
  // line by line.
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
    let start = 0;
    for (
      let end = part.indexOf("\n");
      end !== -1;
      end = part.indexOf("\n", start)
    ) {
      lineParts.push(part.slice(start, end));
      flush();
      start = end + 1;
    }
    lineParts.push(part.slice(start));
  }
  addLine(lines, lineParts);
  return lines.join("\n");
}

/** Adds a printed line to those before it. */
function addLine(lines: string[], parts: readonly Layout[]): void {
  const first = parts[0];
  const text =
    parts.length === 1 && typeof first === "string"
      ? first.trimEnd()
      : printLine(parts);
  // Joins brackets with nothing between them.
  const before = lines.at(-1) ?? "";
  const start = text.trimStart();
  const ends = before.slice(-1) + start.slice(0, 1);
  if (ends === "{}" || ends === "[]") lines[lines.length - 1] = before + start;
  else lines.push(text);
}

/**
 * Prints one line of a template, in linear time: it looks ahead at most one
 * line width.
 */
function printLine(parts: readonly Layout[]): string {
  const first = parts[0];
  const margin =
    typeof first === "string" ? first.length - first.trimStart().length : 0;
  const pieces: string[] = [];
  let position = 0;
  const stack: Frame[] = [];
  const add = (text: string): void => {
    pieces.push(text);
    position += text.length;
  };
  const breakLine = (level: number): void => {
    trimEnd(pieces);
    pieces.push("\n".padEnd(level + 1));
    position = level;
  };
  /** Prints a part, or opens it if it is a list. */
  const print = (part: Layout, level: number): void => {
    if (typeof part === "string") return add(part);
    if (isList(part)) {
      stack.push({ indent: level, parts: part, next: 0 });
      return;
    }
    switch (part.kind) {
      case "group": {
        const remaining = lineWidth - position - part.width;
        if (remaining < 0 || !followingFits(stack, remaining))
          return print(part.of, level);
        putFlat(part.of, pieces);
        position += part.width;
        return;
      }
      case "indent":
        return print(part.of, level + 2);
      case "ifBreak":
        return print(part.broken, level);
      case "below": {
        stack.push({ indent: level, parts: [part.of], next: 0 });
        const fits = followingFits(stack, lineWidth - position - 1);
        stack.pop();
        if (fits) add(" ");
        else breakLine(level + 2);
        return print(part.of, fits ? level : level + 2);
      }
      case "comment": {
        const start = `${"\n".padEnd(level + 1)} *`;
        const paragraphs = part.paragraphs.map((lines) =>
          lines.join(`${start} `),
        );
        pieces.push(
          "/**",
          `${start} `,
          paragraphs.join(`${start}${start} `),
          `${start}/`,
        );
        position = level + " */".length;
        return;
      }
      default:
        if (part.next !== undefined && position + 1 + part.next <= lineWidth)
          add(" ");
        else breakLine(level);
    }
  };
  print(parts, margin);
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const part = frame.parts[frame.next];
    frame.next += 1;
    if (part === undefined) stack.pop();
    else print(part, frame.indent);
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
  else if (layout.kind === "line" || layout.kind === "ifBreak")
    putFlat(layout.flat, pieces);
  else if (layout.kind !== "comment") {
    if (layout.kind === "below") pieces.push(" ");
    putFlat(layout.of, pieces);
  }
}

/**
 * True if the text up to the next possible line break fits into the remaining
 * columns.
 */
function followingFits(frames: readonly Frame[], columns: number): boolean {
  let remaining = columns;
  for (
    let i = frames.length - 1;
    i >= 0 && remaining >= 0 && remaining !== Infinity;
    i -= 1
  ) {
    const { parts, next } = frames[i] ?? { parts: [], next: 0 };
    remaining = columnsAfter(parts, remaining, next);
  }
  return remaining >= 0;
}

/**
 * The columns remaining after a layout: negative if it is too wide, infinite if
 * the line can break inside.
 */
function columnsAfter(layout: Layout, columns: number, from = 0): number {
  if (typeof layout === "string") return columns - layout.length;
  if (isList(layout)) {
    let remaining = columns;
    for (
      let i = from;
      i < layout.length && remaining >= 0 && remaining !== Infinity;
      i += 1
    ) {
      remaining = columnsAfter(layout[i] ?? "", remaining);
    }
    return remaining;
  }
  switch (layout.kind) {
    case "line":
    case "below":
    case "comment":
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
