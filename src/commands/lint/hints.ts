import type { Scope } from "../../generator/diagnostics.js";
import type { Tool } from "../../generator/ir/snapshot/model.js";
import { unsaidIn, unsaidText } from "../../generator/ir/snapshot/unsaid.js";
import type { Provider } from "./providers.js";
import { toolRulesOf } from "./rules.js";

/** Words in the name of a tool that removes something. */
const deleting: ReadonlySet<string> = new Set([
  "delete",
  "destroy",
  "drop",
  "erase",
  "purge",
  "remove",
  "truncate",
  "uninstall",
  "wipe",
]);

/** Words in the name of a tool that only tells, also of what was removed. */
const telling: ReadonlySet<string> = new Set([
  "can",
  "check",
  "count",
  "find",
  "get",
  "list",
  "preview",
  "read",
  "search",
  "show",
]);

/**
 * Reports what a directory refuses in a tool, and a tool that says that it
 * changes nothing under a name that says that it deletes.
 */
export function checkHints(
  { name, raw, hints }: Tool,
  providers: readonly Provider[],
  scope: Scope,
): void {
  for (const provider of providers)
    for (const { code, message, hint, refuses } of toolRulesOf(provider))
      if (refuses(raw))
        scope.error(code, null, `${provider.title}: ${message}`, hint);
  // deleteFile, delete_file and files-delete have the same words.
  const words = name
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, " ")
    .toLowerCase()
    .split(/[^a-z]+/);
  const found = words.find((word) => deleting.has(word));
  if (
    hints.readOnly === true &&
    found !== undefined &&
    !words.some((word) => telling.has(word))
  )
    scope.note(
      "MG933",
      null,
      `readOnlyHint is true, and the name of the tool has the word ${found}`,
      "set readOnlyHint to false if it deletes anything, or rename it",
    );
}

const maxNamed = 5;

/**
 * Notes in one row how many tools of a server do not say whether they change
 * anything, unless a directory refuses each of them.
 */
export function countUnsaid(
  tools: readonly Tool[],
  providers: readonly Provider[],
  scope: Scope,
): void {
  const unsaid = unsaidIn(tools);
  if (
    unsaid.length === 0 ||
    providers.some((provider) => toolRulesOf(provider).length > 0)
  )
    return;
  const names = unsaid.slice(0, maxNamed).map(({ name }) => name.slice(0, 80));
  const more = unsaid.length - names.length;
  const list = `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  scope.note(
    "MG931",
    null,
    `${unsaidText(unsaid.length, tools.length)}: ${list}`,
    "set readOnlyHint or destructiveHint in their annotations",
  );
}
