import type { Impact, ImpactLine } from "../model.js";

/** Lines with one cause. */
export interface Group {
  readonly change: string;
  readonly advice: string | null;
  readonly lines: readonly ImpactLine[];
}

/** Lines by what changed, those that break first, otherwise in the order of their first line. */
export function groupsOf({ lines }: Impact): readonly Group[] {
  const groups = new Map<string, { change: string; advice: string | null; lines: ImpactLine[] }>();
  for (const line of lines) {
    const { change, advice, isBreaking } = line;
    const key = JSON.stringify([change, advice, isBreaking]);
    const group = groups.get(key) ?? { change, advice, lines: [] };
    groups.set(key, group);
    group.lines.push(line);
  }
  const isBreaking = ({ lines: [first] }: Group): boolean => first?.isBreaking === true;
  return [...groups.values()].sort((a, b) => Number(isBreaking(b)) - Number(isBreaking(a)));
}

/** "3 lines of the program break, and 2 lines change their meaning" as a sentence. */
export function summaryOf({ files, lines }: Impact): string {
  if (files === 0) return "No file of the program imports the generated files.";
  const breaking = new Set(lines.filter(({ isBreaking }) => isBreaking).map(placeOf)).size;
  const others = new Set(lines.map(placeOf)).size - breaking;
  if (breaking + others === 0) return "The change touches no line of the program.";
  const count = (number: number): string => `${number} ${number === 1 ? "line" : "lines"}`;
  return `The change touches ${count(breaking + others)} of the program: ${count(breaking)} must change, ${count(others)} should be reviewed.`;
}

function placeOf({ file, line }: ImpactLine): string {
  return `${file}:${line}`;
}
