import { printable } from "../../../diff/render/groups.js";
import type { Audience, Drift, DriftClass, DriftSubject, SnapshotComparison } from "../model.js";
import { countsOf, groupsOf, meaningOf, phraseOf } from "./words.js";

const maxLength = 100;

const marks: Readonly<Record<DriftClass, string>> = {
  breaking: "!",
  safety: "?",
  compatible: "+",
  documentation: ".",
};

/**
 * Drifts for a terminal, without colours: "!" marks what breaks the given side, "?" what reduces safety, "+" what is
 * compatible, "." changed documentation. Empty without drifts.
 */
export function renderDriftsText(
  { from, to, drifts }: SnapshotComparison,
  audience: Audience = "callers",
): string {
  if (drifts.length === 0) return "";
  const names = [from, to].map(({ source }) => printable(source, maxLength));
  const lines = [
    names.join(" -> "),
    `For callers: ${countsOf(drifts, "callers")}. For implementers: ${countsOf(drifts, "implementers")}.`,
  ];
  for (const [subject, group] of groupsOf(drifts)) {
    lines.push("", titleOf(subject), ...group.map((drift) => line(drift, audience)));
  }
  return `${lines.join("\n")}\n`;
}

function titleOf({ kind, name }: DriftSubject): string {
  return kind === "server" ? "server" : `${kind} ${printable(name, maxLength)}`;
}

function line(drift: Drift, audience: Audience): string {
  const prefix = drift.path === "" ? "" : `${printable(drift.path, maxLength)}: `;
  const phrase = phraseOf(drift, (text) => printable(text, maxLength));
  const meaning = meaningOf(drift);
  return `  ${marks[drift[audience]]} ${prefix}${phrase}${meaning === "" ? "" : `\n      ${meaning}`}`;
}
