import { basename } from "node:path";

/** What the texts of an entry may refer to. */
export interface Surroundings {
  /** The folder of the project. */
  readonly directory: string;
  readonly home: string;
  readonly separator: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Called with every variable of the environment that is put into a text. */
  onVariable?(name: string, value: string): void;
}

/** A text refers to something that is not there. The message names it, and quotes no value. */
export class Unexpandable extends Error {
  override readonly name = "Unexpandable";
}

/**
 * Puts values in the place of `${NAME}`, `${NAME:-default}`, `${env:NAME}` and the few names of folders that editors
 * know. What comes of it is not looked at again.
 *
 * @throws Unexpandable when a variable is not set, or only the editor itself could tell.
 */
export function expand(text: string, around: Surroundings): string {
  return text.replace(/\$\{([^{}]*)\}/g, (whole, inside: string) => valueOf(whole, inside, around));
}

function valueOf(whole: string, inside: string, around: Surroundings): string {
  const { directory, home, separator, environment } = around;
  switch (inside) {
    case "workspaceFolder":
      return directory;
    case "workspaceFolderBasename":
      return basename(directory);
    case "userHome":
      return home;
    case "pathSeparator":
    case "/":
      return separator;
  }
  const found = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s.exec(inside);
  if (found === null) {
    const what = inside.startsWith("input:") ? "asks for a value when the editor starts it" : "is not known";
    throw new Unexpandable(`${whole.slice(0, 80)} ${what}`);
  }
  const [, name = "", otherwise] = found;
  const value = environment[name];
  // As in a shell: a default also stands for what is set to nothing.
  if (otherwise !== undefined && (value === undefined || value === "")) return otherwise;
  if (value === undefined) throw new Unexpandable(`the environment variable ${name} is not set`);
  // A value that the file has as its default is no secret.
  if (value !== otherwise) around.onVariable?.(name, value);
  return value;
}
