import { basename } from "node:path";

/** The values that an entry may refer to. */
export interface Surroundings {
  /** The folder of the project. */
  readonly directory: string;
  readonly home: string;
  readonly separator: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Called for each environment variable that is inserted. */
  onVariable?(name: string, value: string): void;
}

/** An entry refers to a value that does not exist. The message names it and does not quote values. */
export class Unexpandable extends Error {
  override readonly name = "Unexpandable";
}

/**
 * Replaces `${NAME}`, `${NAME:-default}`, `${env:NAME}` and the names of folders that editors define. The result is not
 * expanded again.
 *
 * @throws Unexpandable if a variable is not set, or only the editor has the value
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
  const match = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s.exec(inside);
  if (match === null) {
    const what = inside.startsWith("input:") ? "is a value that only the editor asks for" : "is not known";
    throw new Unexpandable(`${whole.slice(0, 80)} ${what}`);
  }
  const [, name = "", fallback] = match;
  const value = environment[name];
  // As in a shell, the default also replaces an empty value.
  if (fallback !== undefined && (value === undefined || value === "")) return fallback;
  if (value === undefined) throw new Unexpandable(`the environment variable ${name} is not set`);
  // A default in the file is not a secret.
  if (value !== fallback) around.onVariable?.(name, value);
  return value;
}
