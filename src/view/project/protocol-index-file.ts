import type { Declaration } from "../../ir/model.js";
import { type Code, code, nameList } from "../typescript/code.js";
import { exported, type ExportView, type IndexView } from "../index-file.js";
import { FIXED } from "../plan/published.js";
import type { RevisionContext } from "../roles/index.js";

/** `protocol/index.ts` of a project: the exports of its types, client and server. */
export function protocolIndexView(
  { protocol, naming }: RevisionContext,
  synthesized: readonly Declaration[],
  emit: readonly string[],
): IndexView {
  const exports: ExportView[] = [];
  const add = (file: Code, isType: boolean, names: readonly Code[]): void => {
    if (names.length > 0) exports.push({ file, isType, names: nameList(names) });
  };
  const [constants, types] = [true, false].map((isConstant) =>
    protocol.declarations.flatMap(({ kind, name }) =>
      (kind === "constant") === isConstant ? [naming.type(name)] : [],
    ),
  );
  add(code`./types`, true, [...(types ?? []), ...synthesized.map(({ name }) => naming.type(name))]);
  add(code`./types`, false, constants ?? []);
  for (const [part, file] of [
    ["client", code`./client`],
    ["server", code`./server`],
  ] as const) {
    if (!emit.includes(part)) continue;
    const identifiersOf = (names: readonly string[]): Code[] =>
      names.map((name) => exported(name, naming.publish(name)));
    add(file, true, identifiersOf(FIXED[part].types));
    add(file, false, identifiersOf(FIXED[part].values));
  }
  return { exports };
}
