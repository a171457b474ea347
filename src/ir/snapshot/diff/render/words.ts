import { schemaPhrases } from "../../../compare/phrases.js";
import { type Quote, withValues } from "../../../diff/render/values.js";
import { driftClasses, type Audience, type Drift, type DriftChange, type DriftSubject } from "../model.js";

/** A phrase for the change. */
export function phraseOf(drift: Drift, quote: Quote): string {
  return withValues(phrases[drift.change], drift, quote);
}

/** The consequences in a few words: "breaks callers, to be reviewed". */
export function meaningOf({ callers, implementers, review }: Drift): string {
  const sides = [
    ...(callers === "breaking" ? ["callers"] : []),
    ...(implementers === "breaking" ? ["implementers"] : []),
  ];
  const breaks = sides.length === 0 ? [] : [`breaks ${sides.join(" and ")}`];
  return [...breaks, ...(review ? ["to be reviewed"] : [])].join(", ");
}

/** Drifts by their subjects, in their order. */
export function groupsOf(drifts: readonly Drift[]): readonly (readonly [DriftSubject, readonly Drift[]])[] {
  const groups = new Map<string, [DriftSubject, Drift[]]>();
  for (const drift of drifts) {
    const key = `${drift.subject.kind} ${drift.subject.name}`;
    const group = groups.get(key) ?? [drift.subject, []];
    group[1].push(drift);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** The number of drifts in each class: "2 breaking, 1 compatible". */
export function countsOf(drifts: readonly Drift[], audience: Audience): string {
  const counts = driftClasses.flatMap((driftClass) => {
    const count = drifts.filter((drift) => drift[audience] === driftClass).length;
    return count === 0 ? [] : [`${count} ${classNames[driftClass]}`];
  });
  return counts.length === 0 ? "none" : counts.join(", ");
}

export const classNames = {
  breaking: "breaking",
  safety: "safety",
  compatible: "compatible",
  documentation: "documentation",
} as const;

const phrases: Readonly<Record<DriftChange, string>> = {
  "revision-raised": "uses a later revision",
  "revision-lowered": "uses an earlier revision",
  "capability-added": "capability declared",
  "capability-removed": "capability no longer declared",
  "capability-changed": "settings of a capability",
  "instructions-changed": "text for models",
  "server-changed": "name, version or description",
  added: "added",
  removed: "removed",
  "uri-changed": "moved",
  "member-renamed": "name of the member in a new project",
  "variable-added": "variable added",
  "variable-removed": "variable removed",
  "mime-type-added": "MIME type added",
  "mime-type-removed": "MIME type removed",
  "mime-type-changed": "MIME type",
  "output-promised": "output schema added",
  "output-withdrawn": "output schema removed",
  "tasks-allowed": "may run as a task",
  "tasks-required": "must run as a task",
  "tasks-refused": "may no longer run as a task",
  "hint-weakened": "less safe",
  "hint-strengthened": "safer",
  "hint-restated": "same meaning in another notation",
  "description-changed": "description",
  "text-for-models-changed": "text for models",
  "words-changed": "text",
  "deprecation-changed": "deprecation",
  ...schemaPhrases,
  "openness-changed": "any other members",
  "type-replaced": "another type",
  "default-changed": "default",
  restated: "same meaning in another notation, as far as it can be compared",
};
