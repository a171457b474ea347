import { spawn } from "node:child_process";
import { once } from "node:events";

/** True if a browser can be shown to the person: not in a remote shell, and not on a machine without a display. */
export function hasBrowser(): boolean {
  const { env, platform } = process;
  if (env["SSH_CONNECTION"] || env["SSH_TTY"]) return false;
  return platform === "win32" || platform === "darwin" || Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"]);
}

/**
 * Opens a page in the browser of this machine. The URL is one argument of a program, and no shell reads it. Resolves to false if there is
 * no such program.
 */
export async function openBrowser(url: string): Promise<boolean> {
  // Only web pages, because other schemes start other programs.
  if (!/^https?:$/.test(new URL(url).protocol)) return false;
  const [program, ...options] = opener();
  const child = spawn(program, [...options, url], { stdio: "ignore", detached: true, shell: false });
  child.unref();
  return once(child, "spawn").then(
    () => true,
    () => false,
  );
}

function opener(): [string, ...string[]] {
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return [process.platform === "darwin" ? "open" : "xdg-open"];
}
