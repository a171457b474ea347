import { basename, resolve } from "node:path";

/** The values that an entry may refer to. */
export interface ExpansionContext {
  /** The folder of the project. */
  readonly directory: string;
  /** Returns the home folder of the user; throws if there is none. */
  home(): string;
  readonly separator: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Called for each environment variable that is inserted. */
  onVariable?(name: string, value: string): void;
}

/**
 * Thrown if an entry refers to a value that does not exist. The message names
 * it and does not quote values.
 */
export class ExpansionError extends Error {
  override readonly name = "ExpansionError";
}

/**
 * Replaces `${NAME}`, `${NAME:-default}`, `${env:NAME}` and the names of
 * folders that editors define. The result is not expanded again.
 *
 * @throws ExpansionError if a variable is not set, or only the editor has the
 *   value
 */
export function expand(text: string, context: ExpansionContext): string {
  return text.replace(/\$\{([^{}]*)\}/g, (whole, inside: string) =>
    valueOf(whole, inside, context),
  );
}

function valueOf(
  whole: string,
  inside: string,
  context: ExpansionContext,
): string {
  const { directory, home, separator, environment } = context;
  switch (inside) {
    case "workspaceFolder":
      return directory;
    case "workspaceFolderBasename":
      return basename(directory);
    case "userHome":
      try {
        return home();
      } catch {
        throw new ExpansionError(
          `${whole} has no value, because this user has no home folder`,
        );
      }
    case "pathSeparator":
    case "/":
      return separator;
  }
  // A folder of a workspace with several of them is beside the others, or is
  // this one.
  if (inside.startsWith("workspaceFolder:"))
    return resolve(directory, "..", inside.slice("workspaceFolder:".length));
  const match = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s.exec(inside);
  if (match === null) {
    const what = inside.startsWith("input:")
      ? "is a value that only an editor can request"
      : "is an unknown variable";
    throw new ExpansionError(`${whole.slice(0, 80)} ${what}`);
  }
  const [, name = "", fallback] = match;
  const value = environment[name];
  // As in a shell, the default also replaces an empty value.
  if (fallback !== undefined && (value === undefined || value === ""))
    return fallback;
  if (value === undefined)
    throw new ExpansionError(`the environment variable ${name} is not set`);
  // A default in the file is not a secret.
  if (value !== fallback) context.onVariable?.(name, value);
  return value;
}
