import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { type Redirect } from "@mcpgen/auth";
import { type BrowserLogin, browserLogin } from "@mcpgen/auth/login";
import { afterEach, describe, expect, it, vi } from "vitest";
import { freePort } from "../../free-port.js";
import { until } from "../kit/watch.js";

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
  const login = browserLogin({
    open: (url) => void pages.push(url),
    show: () => {},
    ...options,
  });
  const redirect = await login.redirectUri(preferred);
  open.push(redirect);
  await redirect.open(signIn);
  return { ...redirect, pages };
}

const visit = (
  redirect: Redirect,
  query: string,
  init?: RequestInit,
): Promise<Response> => fetch(redirect.uri + query, init);

/** The page that shows a text. */
const pageOf = (text: string): string =>
  `<!doctype html><meta charset="utf-8"><title>Sign-in</title><p>${text}</p>\n`;

describe("the sign-in by a browser", () => {
  it("AUTH-37 receives the response on a page of 127.0.0.1 with a random path", async () => {
    const first = await begin();
    const second = await begin();
    expect(first.uri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(first.uri).not.toBe(second.uri);
    expect(first.pages).toEqual([signIn]);
    expect((await visit(first, "?code=1&state=right")).status).toBe(200);
    expect(Object.fromEntries(await first.answer)).toEqual({
      code: "1",
      state: "right",
    });
  });

  it.each([
    "?code=evil&state=wrong",
    "?code=evil",
    "",
    "?error=access_denied&state=",
  ])(
    "AUTH-34 continues to wait after the request %j, which has another state",
    async (query) => {
      const redirect = await begin();
      const response = await visit(redirect, query);
      expect([response.status, await response.text()]).toEqual([
        400,
        pageOf(
          "This is not the answer to the current sign-in. Go back to the program and start again.",
        ),
      ]);
      expect((await visit(redirect, "?code=1&state=right")).status).toBe(200);
      expect((await redirect.answer).get("code")).toBe("1");
    },
  );

  it("AUTH-34 continues to answer after a reload of its page", async () => {
    const redirect = await begin();
    await visit(redirect, "?code=1&state=right");
    expect((await visit(redirect, "?code=1&state=right")).status).toBe(200);
    expect((await redirect.answer).get("code")).toBe("1");
  });

  it("shows no part of the request on its page, which other sites can neither frame nor read", async () => {
    const redirect = await begin();
    const response = await visit(
      redirect,
      "?error=%3Cscript%3E&error_description=call+me&state=right",
    );
    const html = await response.text();
    expect(html).toBe(
      pageOf(
        "You are not signed in. You can close this page and go back to the program.",
      ),
    );
    expect(html).not.toMatch(/script|call me|right/);
    expect(response.headers.get("content-security-policy")).toBe(
      "default-src 'none'; frame-ancestors 'none'",
    );
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it.each([
    ["another path", "/favicon.ico", {}, 404, "Nothing is here."],
    [
      "another method",
      "/callback?code=1&state=right",
      { method: "POST" },
      405,
      "Only GET is allowed here.",
    ],
    [
      "another host",
      "/callback?code=1&state=right",
      { headers: { host: "evil.example.com" } },
      404,
      "Nothing is here.",
    ],
  ])(
    "rejects %s, so that DNS rebinding cannot reach it",
    async (_, path, options, expected, words) => {
      const redirect = await begin();
      const { port } = new URL(redirect.uri);
      const sent = request({ host: "127.0.0.1", port, path, ...options }).end();
      const [response] = (await once(sent, "response")) as [IncomingMessage];
      expect([response.statusCode, await text(response)]).toEqual([
        expected,
        pageOf(words),
      ]);
      expect(
        await Promise.race([redirect.answer, Promise.resolve("waiting")]),
      ).toBe("waiting");
    },
  );

  it.each<[BrowserLogin, string]>([
    [{ open: false }, "To sign in, go to:"],
    [{ open: () => {} }, "If no browser opens, go to:"],
  ])(
    "shows its page on standard error by default: %j",
    async (options, text) => {
      const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
      try {
        await begin({ ...options, show: undefined } as never);
        expect(write.mock.calls).toEqual([[`${text}\n${signIn}\n`]]);
      } finally {
        write.mockRestore();
      }
    },
  );

  it.each(["//", "http://[", "//evil.example/callback", "/other"])(
    "has nothing at %j",
    async (target) => {
      const { uri } = await begin();
      const { host, port } = new URL(uri);
      const socket = connect(Number(port), "127.0.0.1");
      socket.write(`GET ${target} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
      const [reply] = (await once(socket, "data")) as [Buffer];
      socket.destroy();
      expect(String(reply)).toMatch(/^HTTP\/1\.1 404 /);
    },
  );

  it("listens on the registered port, and on another one if that port is in use", async () => {
    const uri = `http://127.0.0.1:${await freePort()}/callback`;
    const first = await begin({}, uri);
    expect((await begin({}, uri)).uri).not.toBe(uri);
    first.close();
    expect((await begin({}, uri)).uri).toBe(uri);
  });

  it.each([
    "https://app.example.com/callback",
    "http://10.0.0.1:80/x",
    "app.example:/x",
  ])("listens on 127.0.0.1 if %s was registered", async (preferred) => {
    expect((await begin({}, preferred)).uri).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/callback$/,
    );
  });

  it("listens at a configured redirect URI, or fails with a message if its port is in use", async () => {
    const port = await freePort();
    const redirectUri = `http://localhost:${port}/signed-in`;
    await begin({}, `http://127.0.0.1:${port}/callback`);
    await expect(
      browserLogin({ redirectUri: `http://127.0.0.1:${port}/x` }).redirectUri(),
    ).rejects.toThrow(
      `The page for the answer to the sign-in cannot be served at 127.0.0.1:${port}.`,
    );
    open.splice(0).forEach((one) => one.close());
    const redirect = await begin({ redirectUri });
    expect(redirect.uri).toBe(redirectUri);
    await visit(redirect, "?code=1&state=right");
    expect((await redirect.answer).get("code")).toBe("1");
  });

  it("fails with a message if the configured redirect URI is on another machine", () => {
    expect(() =>
      browserLogin({ redirectUri: "https://app.example.com/x" }),
    ).toThrow("is not an http URL of this machine");
  });

  it("closes connections without a complete request soon after the page is sent, so that none keeps the process alive", async () => {
    const redirect = await begin();
    const { port } = new URL(redirect.uri);
    const sockets = ["", "GET /callback HTTP/1.1\r\nHost: 127.0.0.1\r\n"].map(
      (text) => {
        const socket = connect(
          Number(port),
          "127.0.0.1",
          () => void socket.write(text),
        );
        return socket.on("error", () => {});
      },
    );
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    void redirect.answer.then(() => redirect.close());
    const page = await visit(redirect, "?code=1&state=right");
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining("The program continues."),
    ]);
    // The server may also reset them.
    await Promise.all(
      sockets.map((socket) => finished(socket).catch(() => {})),
    );
  });

  it.each([
    [
      "opened by the option `open`",
      () => {},
      `If no browser opens, go to:\n${signIn}\n`,
    ],
    ["only shown", false, `To sign in, go to:\n${signIn}\n`],
  ] as const)("shows the URL of a page that is %s", async (_, way, text) => {
    const shown: string[] = [];
    await begin({ open: way, show: (one) => void shown.push(one) });
    expect(shown).toEqual([text]);
  });

  it("closes its server when no sign-in waits", async () => {
    const redirect = await begin();
    redirect.close();
    await expect(visit(redirect, "?code=1&state=right")).rejects.toThrow(
      "fetch failed",
    );
  });
});

describe("the browser of this machine", () => {
  /**
   * A folder with a program that replaces the one that opens pages, and records
   * its arguments.
   */
  async function fakeOpener(): Promise<{
    folder: string;
    args: () => Promise<unknown>;
  }> {
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
    // The file exists before it is complete.
    const args = (): Promise<unknown> =>
      until(
        async () =>
          JSON.parse(await readFile(join(folder, "args"), "utf8")) as unknown,
      );
    return { folder, args };
  }

  it.runIf(process.platform === "linux")(
    "AUTH-66 gets the URL as one argument of a program without a shell, for any characters",
    async () => {
      const { folder, args } = await fakeOpener();
      const url = `${signIn}&x='$(touch ${folder}/evil)';&y="\`id\`"`;
      const shown: string[] = [];
      const redirect = await browserLogin({
        show: (text) => void shown.push(text),
      }).redirectUri();
      open.push(redirect);
      await redirect.open(url);
      expect(await args()).toEqual([url]);
      expect(shown).toEqual([`If no browser opens, go to:\n${url}\n`]);
      await rm(folder, { recursive: true });
    },
  );

  it.runIf(process.platform === "linux")(
    "is not opened in a remote shell, without a display, or for another scheme",
    async () => {
      const { folder } = await fakeOpener();
      const showFor = async (url: string): Promise<string> => {
        const shown: string[] = [];
        const redirect = await browserLogin({
          show: (text) => void shown.push(text),
        }).redirectUri();
        open.push(redirect);
        await redirect.open(url);
        return shown.join("");
      };
      expect(await showFor("javascript:alert(1)")).toContain(
        "To sign in, go to:",
      );
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
