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

/** The number of lines that must change and that should be reviewed, as sentences. */
export function summaryOf({ files, lines }: Impact): string {
  if (files === 0) return "No file of the program imports the generated files.";
  const breaking = new Set(lines.filter(({ isBreaking }) => isBreaking).map(lineKey)).size;
  const others = new Set(lines.map(lineKey)).size - breaking;
  if (breaking + others === 0) return "The change touches no line of the program.";
  const count = (number: number): string => `${number} ${number === 1 ? "line" : "lines"}`;
  return `The change touches ${count(breaking + others)} of the program: ${count(breaking)} must change, ${count(others)} should be reviewed.`;
}

function lineKey({ file, line }: ImpactLine): string {
  return `${file}:${line}`;
}
