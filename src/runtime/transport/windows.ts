/** How Windows starts a command such as `npx`, which there is a script that only its shell can run. */
export function windowsCommand(command: string, args: readonly string[]): string[] {
  const line = [command, ...args].map((word) => escape(quote(word))).join(" ");
  return ["/d", "/s", "/c", `"${line}"`];
}

/** A program gets its arguments back from one line of text: quoted, with the backslashes before a quote doubled. */
const quote = (word: string): string => `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, "$1$1")}"`;

/** Nothing in an argument means anything to the shell. */
const escape = (text: string): string => text.replace(/[()\][%!^"`<>&|;, *?]/g, "^$&");
