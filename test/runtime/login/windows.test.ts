import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { settingsFolder } from "../../../src/auth/login/files.js";
import { hasBrowser, openBrowser } from "../../../src/auth/login/person.js";
import { until } from "../kit/watch.js";
import { windows } from "../kit/windows.js";

describe.skipIf(process.platform === "win32")(
  "a sign-in on Windows, whose programs are scripts here",
  () => {
    it("opens a page with one argument that no shell reads", async () => {
      const { lines } = windows({
        rundll32: `printf '%s\\n' "$@" > "$here/arguments.new"\nmv "$here/arguments.new" "$here/arguments"`,
      });
      const url = "https://as.example.com/authorize?a=1&b=%22&c=$(id)";
      expect(await openBrowser(url)).toBe(true);
      await until(() => lines("arguments").length === 2);
      expect(lines("arguments")).toEqual(["url.dll,FileProtocolHandler", url]);
    });

    it("has a browser without a display, but not in a remote shell", () => {
      windows({});
      for (const name of [
        "DISPLAY",
        "WAYLAND_DISPLAY",
        "SSH_CONNECTION",
        "SSH_TTY",
      ])
        vi.stubEnv(name, undefined);
      expect(hasBrowser()).toBe(true);
      vi.stubEnv("SSH_CONNECTION", "10.0.0.1 22 10.0.0.2 22");
      expect(hasBrowser()).toBe(false);
    });

    it("keeps settings in APPDATA, or where it is by default", () => {
      windows({});
      vi.stubEnv("APPDATA", "D:\\settings");
      expect(settingsFolder()).toBe("D:\\settings");
      vi.stubEnv("APPDATA", undefined);
      expect(settingsFolder()).toBe(join(homedir(), "AppData", "Roaming"));
    });

    it("accepts a folder of tokens whatever its mode is, which Windows does not have", async () => {
      const { folder } = windows({});
      vi.resetModules();
      const { checkPrivate } = await import("../../../src/auth/login/files.js");
      await expect(
        checkPrivate(join(folder, ".."), "folder", 0o700),
      ).resolves.toBeUndefined();
    });
  },
);
