/**
 * Skills: folders with instructions for a model, which a server offers as
 * resources and a client loads and checks.
 * @module
 */
export {
  type SkillEntry,
  type SkillFile,
  skillDigest,
} from "./skills/entry.js";
export type { Frontmatter } from "./skills/frontmatter.js";
export {
  isSkillError,
  SkillError,
  type SkillErrorReason,
} from "./skills/error.js";
export type { SkillChild } from "./skills/uri.js";
export {
  listSkills,
  type LoadedSkill,
  loadSkill,
  type SkillClient,
} from "./skills/load.js";
export type {
  DynamicSkill,
  SkillFolder,
  StaticSkill,
} from "./skills/skills.js";
export { type SkillOptions, skills } from "./skills/skills.js";
