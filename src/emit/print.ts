import type { Layout } from "../view/layout.js";

const WIDTH = 80;

const NEW_LINE: Layout = { kind: "line", flat: " ", hard: true };

interface Frame {
  readonly indent: number;
  readonly flat: boolean;
  readonly layout: Layout;
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
    const end = text.trimStart();
    const before = this.#lines.at(-1) ?? "";
    if (/^(?:\{\}|\[\])/.test(before.slice(-1) + end)) this.#lines.splice(-1, 1, before + end);
    else this.#lines.push(text);
  }
}

function printLine(parts: readonly Layout[], margin: number): string {
  let text = "";
  let position = 0;
  const stack: Frame[] = [{ indent: margin, flat: false, layout: parts }];
  for (let frame = stack.pop(); frame !== undefined; frame = stack.pop()) {
    const { layout: part, flat, indent: level } = frame;
    if (typeof part === "string") {
      text += part;
      position += part.length;
    } else if (isList(part)) {
      pushAll(stack, part, frame);
    } else if (part.kind === "indent") {
      stack.push({ indent: level + 2, flat, layout: part.of });
    } else if (part.kind === "ifBreak") {
      stack.push({ indent: level, flat, layout: flat ? part.flat : part.broken });
    } else if (part.kind === "below") {
      const beside: Frame = { indent: level, flat, layout: part.of };
      const space: Frame = { ...beside, flat: true, layout: " " };
      const hangs = !flat && !fits(space, [...stack, beside], WIDTH - position);
      stack.push({ ...beside, layout: hangs ? { kind: "indent", of: [NEW_LINE, part.of] } : [" ", part.of] });
    } else if (part.kind === "group") {
      const next: Frame = { indent: level, flat: true, layout: part.of };
      stack.push(flat || fits(next, stack, WIDTH - position) ? next : { ...next, flat: false });
    } else if (flat && !part.hard) {
      text += part.flat;
      position += part.flat.length;
    } else {
      text = `${text.trimEnd()}\n${" ".repeat(level)}`;
      position = level;
    }
  }
  return text.trimEnd();
}

/** Does the frame fit flat into the columns left, with what follows up to the next possible line break? */
function fits(next: Frame, rest: readonly Frame[], width: number): boolean {
  let left = width;
  let restIndex = rest.length;
  const stack: Frame[] = [next];
  while (left >= 0) {
    let frame = stack.pop();
    if (frame === undefined) {
      restIndex -= 1;
      frame = rest[restIndex];
      if (frame === undefined) return true;
    }
    const { layout: part, flat } = frame;
    if (typeof part === "string") {
      left -= part.length;
    } else if (isList(part)) {
      pushAll(stack, part, frame);
    } else if (part.kind === "indent" || part.kind === "group") {
      stack.push({ ...frame, layout: part.of });
    } else if (part.kind === "below") {
      stack.push({ ...frame, layout: [" ", part.of] });
    } else if (part.kind === "ifBreak") {
      stack.push({ ...frame, layout: flat ? part.flat : part.broken });
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

function pushAll(stack: Frame[], parts: readonly Layout[], frame: Frame): void {
  for (let i = parts.length - 1; i >= 0; i--) {
    const part = parts[i];
    if (part !== undefined && part !== "") stack.push({ ...frame, layout: part });
  }
}

function isList(layout: Layout): layout is readonly Layout[] {
  return Array.isArray(layout);
}
