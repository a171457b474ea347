import { Branded, hasBrand } from "../core/errors.js";

/**
 * Why a skill is not used: its entry is invalid (`entry`), or larger than a
 * host must accept (`limit`); a file does not have the listed bytes (`size`,
 * `digest`), or is not text or bytes (`contents`); `SKILL.md` does not begin
 * with the frontmatter of the entry (`frontmatter`); or the entry does not list
 * the file (`unlisted`).
 */
export type SkillErrorReason =
  | "entry"
  | "limit"
  | "size"
  | "digest"
  | "contents"
  | "frontmatter"
  | "unlisted";

/**
 * A skill, or one of its files, failed a check. Nothing of it may reach a
 * model.
 */
export class SkillError extends Branded {
  readonly reason: SkillErrorReason;

  constructor(
    reason: SkillErrorReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super("SkillError", message, options);
    this.reason = reason;
  }
}

/** Tests for a `SkillError` of any copy of this package. */
export const isSkillError = (value: unknown): value is SkillError =>
  hasBrand(value, "SkillError");
