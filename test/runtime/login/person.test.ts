import { PassThrough } from "node:stream";
import { browserLogin, fileStore } from "@mcpgen/auth/login";
import { afterEach, describe, expect, it, vi } from "vitest";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const signIn = "https://as.example.com/authorize?state=right";
const hint =
  "If your browser cannot reach the last page, paste the address of that page here:\n";
const wrong =
  "This is not the address of the last page of this sign-in. Paste all of it:\n";

describe("an address that a person pastes", () => {
  /** A sign-in at a terminal, or at what is none. */
  async function atTerminal(isTTY: boolean) {
    const stdin = Object.assign(new PassThrough(), { isTTY });
    vi.spyOn(process, "stdin", "get").mockReturnValue(stdin as never);
    const shown: string[] = [];
    const login = browserLogin({
      open: false,
      show: (text) => void shown.push(text),
    });
    const redirect = await login.redirectUri();
    await redirect.open(signIn);
    return { stdin, shown, redirect };
  }

  it("ends the sign-in if it is the one of the last page, and is asked for again otherwise", async () => {
    const { stdin, shown, redirect } = await atTerminal(true);
    stdin.write("\n  \nno address\n");
    stdin.write(`${redirect.uri}?code=1&state=wrong\n`);
    stdin.write(`  ${redirect.uri}?code=2&state=right  \n`);
    expect((await redirect.answer).get("code")).toBe("2");
    expect(shown).toEqual([
      `To sign in, go to:\n${signIn}\n`,
      hint,
      wrong,
      wrong,
    ]);
    redirect.close();
  });

  it("is not read any more after the sign-in is closed", async () => {
    const { stdin, shown, redirect } = await atTerminal(true);
    redirect.close();
    stdin.write("no address\n");
    await new Promise((resolve) => setImmediate(resolve));
    expect(shown.slice(1)).toEqual([hint]);
  });

  it("is not asked for where there is no terminal", async () => {
    const { shown, redirect } = await atTerminal(false);
    expect(shown).toHaveLength(1);
    redirect.close();
  });
});

describe("a configured redirect URI", () => {
  it.each([
    ["http://127.0.0.1:7000/x", true],
    ["http://[::1]:7000/x", true],
    ["http://localhost:7000/", true],
    ["https://127.0.0.1:7000/x", false],
    ["http://127.0.0.1:7000/x?a=1", false],
    ["http://127.0.0.1:7000/x#a", false],
    ["http://10.0.0.1:7000/x", false],
    ["no URL", false],
  ])("may be %s: %s", (redirectUri, isAllowed) => {
    const make = () => browserLogin({ redirectUri });
    if (isAllowed) expect(make).not.toThrow();
    else
      expect(make).toThrow(
        new TypeError(
          `The redirect URI ${JSON.stringify(redirectUri)} of browserLogin is not an http URL of this machine.`,
        ),
      );
  });
});

describe.runIf(process.platform === "linux")(
  "the folder of stored tokens",
  () => {
    it.each([
      ["/settings", "/home/ada", "/settings/mcpgen/auth"],
      ["settings", "/home/ada", "/home/ada/.config/mcpgen/auth"],
      ["", "/home/ada", "/home/ada/.config/mcpgen/auth"],
      [undefined, "/home/ada", "/home/ada/.config/mcpgen/auth"],
    ])("with the settings %j and the home %s is %s", (xdg, home, expected) => {
      vi.stubEnv("XDG_CONFIG_HOME", xdg);
      vi.stubEnv("HOME", home);
      expect(fileStore().folder).toBe(expected);
    });

    it("must be named for a user without a home", () => {
      vi.stubEnv("XDG_CONFIG_HOME", "");
      vi.stubEnv("HOME", "nowhere");
      expect(() => fileStore()).toThrow(
        new Error("This user has no home folder. Set HOME, or pass a folder."),
      );
    });
  },
);
