import { html } from "./html.js";
import type { BadgeView } from "./entry.js";

/** Every badge, once, so that one word means the same on every page. */
export const badges = {
  deprecated: { label: html`deprecated`, tone: html`bad` },
  required: { label: html`required`, tone: html`calm` },
  paginated: { label: html`paginated`, tone: html`calm` },
  cacheable: { label: html`cacheable`, tone: html`calm` },
  asksInput: { label: html`may ask for input`, tone: html`calm` },
  embedded: { label: html`inside a result`, tone: html`calm` },
  uncancellable: { label: html`cannot be cancelled`, tone: html`calm` },
  readOnly: { label: html`read-only`, tone: html`good` },
  destructive: { label: html`destructive`, tone: html`bad` },
  writes: { label: html`changes something`, tone: html`warn` },
  additive: { label: html`only adds`, tone: html`calm` },
  idempotent: { label: html`idempotent`, tone: html`calm` },
  openWorld: { label: html`open world`, tone: html`calm` },
  closedWorld: { label: html`closed world`, tone: html`calm` },
  breaking: { label: html`breaking`, tone: html`bad` },
  compatible: { label: html`compatible`, tone: html`good` },
  unseen: { label: html`not on the wire`, tone: html`calm` },
  added: { label: html`added`, tone: html`good` },
  removed: { label: html`removed`, tone: html`bad` },
  renamed: { label: html`renamed`, tone: html`warn` },
  changed: { label: html`changed`, tone: html`warn` },
} as const satisfies Readonly<Record<string, BadgeView>>;

/** Those of the badges that apply, in the order in which they are named. */
export function badgesIf(applies: Readonly<Partial<Record<keyof typeof badges, boolean>>>): BadgeView[] {
  return (Object.keys(badges) as (keyof typeof badges)[])
    .filter((name) => applies[name] === true)
    .map((name) => badges[name]);
}
