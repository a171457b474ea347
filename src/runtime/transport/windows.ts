import { existsSync } from "node:fs";
import { delimiter, extname, join, resolve } from "node:path";

/** What to start, and whether the arguments are quoted already. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly verbatim: boolean;
}

/**
 * How Windows starts a command such as `npx`, which there is a script that only its shell can run: through the shell, with
 * every argument quoted so that it stays an argument.
 */
export function windowsProgram(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  exists: (path: string) => boolean = existsSync,
): Program {
  const file = find(command, env, exists) ?? command;
  if (!/\.(cmd|bat)$/i.test(file)) return { file, args, verbatim: false };
  const line = [escape(file), ...args.map((argument) => escape(quote(argument)))].join(" ");
  return {
    file: variable(env, "COMSPEC") ?? "cmd.exe",
    args: ["/d", "/s", "/c", `"${line}"`],
    verbatim: true,
  };
}

function find(
  command: string,
  env: Readonly<Record<string, string | undefined>>,
  exists: (path: string) => boolean,
): string | undefined {
  const endings = extname(command) ? [""] : (variable(env, "PATHEXT") ?? ".EXE;.CMD;.BAT").split(";");
  const folders = /[\\/]/.test(command) ? [""] : (variable(env, "PATH") ?? "").split(delimiter);
  for (const folder of folders) {
    for (const ending of endings) {
      const path = folder ? join(folder, command + ending) : resolve(command + ending);
      if (exists(path)) return path;
    }
  }
  return undefined;
}

/** Windows does not tell the case of a variable's name. */
function variable(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}

/** The way the C runtime reads arguments: backslashes count double before a quote. */
function quote(argument: string): string {
  return `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, "$1$1")}"`;
}

/** What the shell would act on, twice over, since a script hands its arguments to a shell again. */
function escape(text: string): string {
  const once = text.replace(/([()\][%!^"`<>&|;, *?])/g, "^$1");
  return text.startsWith('"') ? once.replace(/([()\][%!^"`<>&|;, *?])/g, "^$1") : once;
}
