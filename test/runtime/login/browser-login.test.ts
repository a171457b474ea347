import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Redirect } from "@mcpgen/runtime/auth";
import { type BrowserLogin, browserLogin } from "@mcpgen/runtime/login";
import { afterEach, describe, expect, it, vi } from "vitest";

const open: Redirect[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const one of open.splice(0)) one.close();
});

const signIn = "https://as.example.com/authorize?state=right";

/** A sign-in that waits for its answer, and the page that was opened. */
async function begin(
  options: BrowserLogin = {},
  preferred?: string,
): Promise<Redirect & { readonly pages: string[] }> {
  const pages: string[] = [];
  const login = browserLogin({ open: (url) => void pages.push(url), show: () => {}, ...options });
  const redirect = await login.redirectUri(preferred);
  open.push(redirect);
  await redirect.open(signIn);
  return { ...redirect, pages };
}

const visit = (redirect: Redirect, query: string, init?: RequestInit): Promise<Response> =>
  fetch(redirect.uri + query, init);

describe("the sign-in by a browser", () => {
  it("AUTH-37 takes the answer on a page of 127.0.0.1, whose address is random", async () => {
    const first = await begin();
    const second = await begin();
    expect(first.uri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(first.uri).not.toBe(second.uri);
    expect(first.pages).toEqual([signIn]);
    expect((await visit(first, "?code=1&state=right")).status).toBe(200);
    expect(Object.fromEntries(await first.answer)).toEqual({ code: "1", state: "right" });
  });

  it("AUTH-34 goes on waiting after a page with another state, a page of another tab, or a reload", async () => {
    const redirect = await begin();
    for (const query of ["?code=evil&state=wrong", "?code=evil", "", "?error=access_denied&state="])
      expect((await visit(redirect, query)).status).toBe(400);
    await visit(redirect, "?code=1&state=right");
    expect((await visit(redirect, "?code=1&state=right")).status).toBe(200);
    expect((await redirect.answer).get("code")).toBe("1");
  });

  it("shows nothing of the request on its page, and no other site can frame or read it", async () => {
    const redirect = await begin();
    const response = await visit(redirect, "?error=%3Cscript%3E&error_description=call+me&state=right");
    const html = await response.text();
    expect(html).toContain("You are not signed in.");
    expect(html).not.toMatch(/script|call me|right/);
    expect(response.headers.get("content-security-policy")).toBe(
      "default-src 'none'; frame-ancestors 'none'",
    );
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it("answers no other path, method or host, so that a name of another site does not reach it", async () => {
    const redirect = await begin();
    const { origin, port } = new URL(redirect.uri);
    expect((await fetch(`${origin}/favicon.ico`)).status).toBe(404);
    expect((await visit(redirect, "?code=1&state=right", { method: "POST" })).status).toBe(405);
    const status = await new Promise((resolve) =>
      request(
        {
          host: "127.0.0.1",
          port,
          path: "/callback?code=1&state=right",
          headers: { host: "evil.example.com" },
        },
        (response) => resolve(response.resume().statusCode),
      ).end(),
    );
    expect(status).toBe(404);
    expect(await Promise.race([redirect.answer, Promise.resolve("waiting")])).toBe("waiting");
  });

  it("listens where the client is registered, and elsewhere if that port is not free", async () => {
    const first = await begin();
    const { uri } = first;
    expect((await begin({}, uri)).uri).not.toBe(uri);
    first.close();
    expect((await begin({}, uri)).uri).toBe(uri);
    for (const preferred of ["https://app.example.com/callback", "http://10.0.0.1:80/x", "app.example:/x"])
      expect((await begin({}, preferred)).uri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  });

  it("listens at the redirect URI that the user names, or fails with a sentence", async () => {
    const { port } = new URL((await begin()).uri);
    const redirectUri = `http://localhost:${port}/signed-in`;
    await expect(browserLogin({ redirectUri: `http://127.0.0.1:${port}/x` }).redirectUri()).rejects.toThrow(
      `The page for the answer to the sign-in cannot be served at 127.0.0.1:${port}.`,
    );
    open.splice(0).forEach((one) => one.close());
    const redirect = await begin({ redirectUri });
    expect(redirect.uri).toBe(redirectUri);
    await visit(redirect, "?code=1&state=right");
    expect((await redirect.answer).get("code")).toBe("1");
    expect(() => browserLogin({ redirectUri: "https://app.example.com/x" })).toThrow(
      "is not an http URL of this machine",
    );
  });

  it("ends its page when nobody waits any more", async () => {
    const redirect = await begin();
    redirect.close();
    await expect(visit(redirect, "?code=1&state=right")).rejects.toThrow("fetch failed");
  });
});

describe("the browser of this machine", () => {
  /** A folder with a program that takes the place of the one that opens pages, and writes down its arguments. */
  async function fakeOpener(): Promise<{ folder: string; args: () => Promise<unknown> }> {
    const folder = await mkdtemp(join(tmpdir(), "mcpgen-open-"));
    const script = `#!${process.execPath}\nrequire("fs").writeFileSync(${JSON.stringify(join(folder, "args"))}, JSON.stringify(process.argv.slice(2)))\n`;
    for (const name of ["xdg-open", "open"]) {
      await writeFile(join(folder, name), script);
      await chmod(join(folder, name), 0o755);
    }
    vi.stubEnv("PATH", folder);
    vi.stubEnv("DISPLAY", ":0");
    vi.stubEnv("SSH_CONNECTION", "");
    vi.stubEnv("SSH_TTY", "");
    // The file is there before it is written to its end.
    const args = (): Promise<unknown> =>
      vi.waitFor(async () => JSON.parse(await readFile(join(folder, "args"), "utf8")) as unknown, {
        timeout: 5_000,
      });
    return { folder, args };
  }

  it.runIf(process.platform === "linux")(
    "AUTH-66 gets the page as one argument of a program, whatever is in it, and no shell reads it",
    async () => {
      const { folder, args } = await fakeOpener();
      const url = `${signIn}&x='$(touch ${folder}/evil)';&y="\`id\`"`;
      const shown: string[] = [];
      const redirect = await browserLogin({ show: (text) => void shown.push(text) }).redirectUri();
      open.push(redirect);
      await redirect.open(url);
      expect(await args()).toEqual([url]);
      expect(shown).toEqual([`If no browser opens, go to:\n${url}\n`]);
      await rm(folder, { recursive: true });
    },
  );

  it.runIf(process.platform === "linux")(
    "is not used in a remote shell, without a screen, or for another scheme",
    async () => {
      const { folder } = await fakeOpener();
      const showFor = async (url: string): Promise<string> => {
        const shown: string[] = [];
        const redirect = await browserLogin({ show: (text) => void shown.push(text) }).redirectUri();
        open.push(redirect);
        await redirect.open(url);
        return shown.join("");
      };
      expect(await showFor("javascript:alert(1)")).toContain("To sign in, go to:");
      vi.stubEnv("SSH_CONNECTION", "10.0.0.1 1 10.0.0.2 22");
      expect(await showFor(signIn)).toContain("To sign in, go to:");
      vi.stubEnv("SSH_CONNECTION", "");
      vi.stubEnv("DISPLAY", "");
      vi.stubEnv("WAYLAND_DISPLAY", "");
      expect(await showFor(signIn)).toContain("To sign in, go to:");
      await expect(readFile(join(folder, "args"))).rejects.toThrow("ENOENT");
      await rm(folder, { recursive: true });
    },
  );
});
