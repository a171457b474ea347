import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/**
 * True if a browser can be shown to the person: not in a remote shell, and not
 * on a machine without a display.
 */
export function hasBrowser(): boolean {
  const { env, platform } = process;
  if (env["SSH_CONNECTION"] || env["SSH_TTY"]) return false;
  return (
    platform === "win32" ||
    platform === "darwin" ||
    Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"])
  );
}

/**
 * Opens a page in the browser of this machine. The URL is one argument of a
 * program, and no shell reads it. Resolves to false if there is no such
 * program.
 */
export async function openBrowser(url: string): Promise<boolean> {
  // Only web pages, because other schemes start other programs.
  if (!/^https?:$/.test(new URL(url).protocol)) return false;
  const [program, ...options] = opener();
  const child = spawn(program, [...options, url], {
    stdio: "ignore",
    detached: true,
    shell: false,
  });
  child.unref();
  return once(child, "spawn").then(
    () => true,
    () => false,
  );
}

function opener(): [string, ...string[]] {
  if (process.platform === "win32")
    return ["rundll32", "url.dll,FileProtocolHandler"];
  return [process.platform === "darwin" ? "open" : "xdg-open"];
}

/**
 * Reads lines from the terminal until one is the address of the last page, with
 * the answer to the sign-in.
 */
export function readPastedAddress(
  accept: (params: URLSearchParams) => boolean,
  show: (text: string) => void,
  signal: AbortSignal,
): void {
  const { stdin } = process;
  if (!stdin.isTTY) return;
  show(
    "If your browser cannot reach the last page, paste the address of that page here:\n",
  );
  const lines = createInterface({ input: stdin });
  signal.addEventListener("abort", () => lines.close());
  lines.on("line", (line) => {
    const text = line.trim();
    if (text === "") return;
    if (URL.canParse(text) && accept(new URL(text).searchParams)) lines.close();
    else
      show(
        "This is not the address of the last page of this sign-in. Paste all of it:\n",
      );
  });
}
