/**
 * Skills from the disk, on Node.
 * @module
 */
import { lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, join, resolve, sep } from "node:path";
import type { StaticSkill } from "./skills.js";
import { excessOf } from "./entry.js";
import { entryFile } from "./uri.js";

/**
 * The skills in a folder: each folder with a `SKILL.md`, at any depth, with all
 * files below it. Files are read at once; later changes on the disk have no
 * effect. To read them again for each request, pass a function:
 * `skills(() => folder("./skills"))`.
 *
 * @throws Error if the folder has no skill, a skill exceeds the limits of a
 *   host, or a skill has a file that cannot be served: its name begins with a
 *   dot, it is a symbolic link to something outside of the folder, or it is no
 *   file.
 */
export function folder(path: string): StaticSkill[] {
  const root = realpathSync(resolve(path));
  const files = new Map<string, string>();
  walk(root, "", [root], files);
  const found = [...files.keys()].filter(
    (file) => basename(file) === entryFile,
  );
  if (found.length === 0)
    throw new Error(
      `${path}: expected a folder with ${entryFile} in it, or in a folder below it.`,
    );
  // The name of a skill in the folder itself is that of the folder.
  const head = files.has(entryFile) ? `${basename(root)}/` : "";
  return found.map((file): StaticSkill => {
    const start = file.slice(0, -entryFile.length);
    const own = [...files].filter(([name]) => name.startsWith(start));
    const skill = (head + start).slice(0, -1);
    // Before the files are read: they may be larger than the memory.
    const excess = excessOf(own.map(([, real]) => lstatSync(real).size));
    if (excess !== undefined)
      throw new TypeError(`The skill ${skill} ${excess}.`);
    return {
      path: skill,
      files: Object.fromEntries(
        own.map(([name, real]) => [
          name.slice(start.length),
          readFileSync(real),
        ]),
      ),
    };
  });
}

/**
 * Finds the files below a folder, by their paths, each with its real place on
 * the disk. `parents` are the real folders above it.
 */
function walk(
  place: string,
  path: string,
  parents: readonly string[],
  files: Map<string, string>,
  isSkill = false,
): void {
  const names = readdirSync(place).sort();
  const inSkill = isSkill || names.includes(entryFile);
  const refuse = (name: string, why: string): void => {
    // What is beside the skills is not served.
    if (inSkill)
      throw new Error(
        `${join(place, name)}: ${why}. Delete it, or move it out of the skill.`,
      );
  };
  for (const name of names) {
    if (name.startsWith(".")) {
      refuse(name, "a file whose name begins with a dot is not served");
      continue;
    }
    const real = realpathSync(join(place, name));
    const [root = ""] = parents;
    if (!real.startsWith(root + sep)) {
      refuse(name, "the link leads out of the folder of the skills");
      continue;
    }
    const stat = lstatSync(real);
    if (stat.isFile()) files.set(path + name, real);
    else if (!stat.isDirectory()) refuse(name, "expected a file or a folder");
    else if (parents.includes(real))
      refuse(name, "the link leads to a folder around it");
    else walk(real, `${path}${name}/`, [...parents, real], files, inSkill);
  }
}
