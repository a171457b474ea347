import type { ProgramImpact } from "../../report.js";

/** When the lines of a program change, as the end of a title. `quote` marks the name of a folder. */
export function occasionOf(
  { isMove, folders }: Pick<ProgramImpact, "isMove" | "folders">,
  quote: (text: string) => string,
): string {
  const outs = folders.map(({ out }) => quote(out));
  const names = [outs.slice(0, -1).join(", "), outs.at(-1) ?? ""].filter((part) => part !== "").join(" and ");
  const [from, to] = [revisionOf(folders, "from"), revisionOf(folders, "to")];
  const isOther = from !== null && to !== null && from !== to;
  if (isMove) {
    const verb = outs.length === 1 ? "moves" : "move";
    return isOther
      ? `if ${names} ${verb} from ${from} to ${to}`
      : `if ${names} ${verb} to ${to ?? "a new revision"}`;
  }
  const verb = outs.length === 1 ? "is" : "are";
  return `when ${names} ${verb} generated again${isOther ? `, from ${from} to ${to}` : ""}`;
}

/** The one revision of all folders; null if there are several. */
function revisionOf(folders: ProgramImpact["folders"], side: "from" | "to"): string | null {
  const names = new Set(folders.flatMap((folder) => folder[side]));
  const [name] = names;
  return names.size === 1 && name !== undefined ? name : null;
}
