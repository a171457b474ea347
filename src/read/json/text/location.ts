import type { Location } from "../../../diagnostics.js";

/** Turns offsets of one text into lines and columns, which count from 1. */
export type Locations = (offset: number) => Location;

/** Returns a function that finds the line and column of an offset by binary search. */
export function locationsIn(text: string, file: string): Locations {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { file, line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
