/**
 * Skills: folders with instructions for a model, which a server offers as resources and a client loads and checks.
 * @module
 */
export { type SkillEntry, type SkillFile, skillDigest } from "./role/skills/entry.js";
export type { Frontmatter } from "./role/skills/frontmatter.js";
export { isSkillError, SkillError, type SkillErrorReason } from "./role/skills/error.js";
export type { SkillChild } from "./role/skills/uri.js";
export { listSkills, type LoadedSkill, loadSkill, type SkillClient } from "./role/skills/load.js";
export type { DynamicSkill, SkillFolder, StaticSkill } from "./role/skills/declare.js";
export { type SkillOptions, skills } from "./role/skills/skills.js";
