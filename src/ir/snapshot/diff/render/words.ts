import { type Quote, withValues } from "../../../diff/render/values.js";
import { driftClasses, type Audience, type Drift, type DriftChange, type DriftSubject } from "../model.js";

/** What changed, in words. */
export function phraseOf(drift: Drift, quote: Quote): string {
  return withValues(phrases[drift.change], drift, quote);
}

/** What it means, in a few words: "breaks callers, to be reviewed". */
export function meaningOf({ callers, implementers, review }: Drift): string {
  const sides = [
    ...(callers === "breaking" ? ["callers"] : []),
    ...(implementers === "breaking" ? ["implementers"] : []),
  ];
  const breaks = sides.length === 0 ? [] : [`breaks ${sides.join(" and ")}`];
  return [...breaks, ...(review ? ["to be reviewed"] : [])].join(", ");
}

/** Drifts by what they belong to, in the order in which they come. */
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

/** How many drifts of which class, as a clause: "2 breaking, 1 compatible". */
export function countsOf(drifts: readonly Drift[], audience: Audience): string {
  const counts = driftClasses.flatMap((wanted) => {
    const count = drifts.filter((drift) => drift[audience] === wanted).length;
    return count === 0 ? [] : [`${count} ${classNames[wanted]}`];
  });
  return counts.length === 0 ? "none" : counts.join(", ");
}

export const classNames = {
  breaking: "breaking",
  safety: "of safety",
  compatible: "compatible",
  documentation: "of documentation",
} as const;

const phrases: Readonly<Record<DriftChange, string>> = {
  "revision-raised": "speaks a later revision",
  "revision-lowered": "speaks an earlier revision",
  "capability-added": "capability declared",
  "capability-removed": "capability no longer declared",
  "instructions-changed": "text for models",
  "server-changed": "what it says of itself",
  added: "added",
  removed: "removed",
  "uri-changed": "moved",
  "variable-added": "variable added",
  "variable-removed": "variable removed",
  "mime-type-added": "MIME type told",
  "mime-type-removed": "MIME type no longer told",
  "mime-type-changed": "MIME type",
  "output-promised": "structured result promised",
  "output-withdrawn": "structured result no longer promised",
  "tasks-allowed": "may run as a task",
  "tasks-required": "must run as a task",
  "tasks-refused": "may no longer run as a task",
  "hint-weakened": "vouches for less",
  "hint-strengthened": "vouches for more",
  "hint-restated": "vouches for the same in other words",
  "description-changed": "description",
  "text-for-models-changed": "text for models",
  "words-changed": "words",
  "deprecation-changed": "deprecation",
  "optional-member-added": "optional member added",
  "required-member-added": "required member added",
  "optional-member-removed": "optional member removed",
  "required-member-removed": "required member removed",
  "member-made-required": "made required",
  "member-made-optional": "made optional",
  "other-members-refused": "other members are refused now",
  "other-members-allowed": "other members are allowed now",
  "type-narrowed": "narrowed",
  "type-widened": "widened",
  "type-replaced": "another type",
  "value-removed": "value removed",
  "value-added": "value added",
  "values-listed": "only some values now",
  "values-freed": "any value now",
  "bound-tightened": "bound tightened",
  "bound-loosened": "bound loosened",
  "condition-added": "condition added",
  "condition-removed": "condition removed",
  "condition-changed": "condition",
  "alternative-removed": "alternative removed",
  "alternative-added": "alternative added",
  "default-changed": "default",
  restated: "conditions written otherwise, the same as far as they can be compared",
  "schema-changed": "too deep to be compared part by part, and not the same",
};
