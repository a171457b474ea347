import { markup } from "./html.js";
import type { BadgeView } from "./entry.js";

/** All badges, so that a label means the same on every page. */
export const badges = {
  deprecated: { label: markup`deprecated`, tone: markup`bad` },
  required: { label: markup`required`, tone: markup`calm` },
  paginated: { label: markup`paginated`, tone: markup`calm` },
  cacheable: { label: markup`cacheable`, tone: markup`calm` },
  asksInput: { label: markup`may ask for input`, tone: markup`calm` },
  embedded: { label: markup`inside a result`, tone: markup`calm` },
  uncancellable: { label: markup`cannot be cancelled`, tone: markup`calm` },
  readOnly: { label: markup`read-only`, tone: markup`good` },
  destructive: { label: markup`destructive`, tone: markup`bad` },
  writes: { label: markup`modifies data`, tone: markup`warn` },
  additive: { label: markup`only adds`, tone: markup`calm` },
  idempotent: { label: markup`idempotent`, tone: markup`calm` },
  openWorld: { label: markup`open world`, tone: markup`calm` },
  closedWorld: { label: markup`closed world`, tone: markup`calm` },
  breaking: { label: markup`breaking`, tone: markup`bad` },
  compatible: { label: markup`compatible`, tone: markup`good` },
  safety: { label: markup`safety`, tone: markup`warn` },
  documentation: { label: markup`documentation`, tone: markup`calm` },
  unseen: { label: markup`not on the wire`, tone: markup`calm` },
  added: { label: markup`added`, tone: markup`good` },
  removed: { label: markup`removed`, tone: markup`bad` },
  renamed: { label: markup`renamed`, tone: markup`warn` },
  changed: { label: markup`changed`, tone: markup`warn` },
} as const satisfies Readonly<Record<string, BadgeView>>;

/** The badges that apply, in the given order. */
export function badgesIf(applies: Readonly<Partial<Record<keyof typeof badges, boolean>>>): BadgeView[] {
  return (Object.keys(badges) as (keyof typeof badges)[])
    .filter((name) => applies[name] === true)
    .map((name) => badges[name]);
}
