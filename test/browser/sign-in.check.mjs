import { memoryStore, oauth } from "@mcpgen/auth";
import { http } from "@mcpgen/runtime/http";
import { browserLogin } from "@mcpgen/auth/login";
import { chromium } from "playwright-core";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
} from "vitest";
import { Client } from "../../generated/2026-07-28/client.js";
import { startMcp, startProvider } from "../auth/servers.mjs";
import { findChromium } from "./chromium.mjs";

let browser;
let context;
let as;
let mcp;
const clients = [];

beforeAll(async () => {
  const executablePath = findChromium();
  if (executablePath === null)
    throw new Error(
      "there is no chromium; test/browser/chromium.mjs says how to get one",
    );
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
});
afterAll(() => browser?.close());
beforeEach(async () => {
  as = await startProvider();
  mcp = await startMcp(as);
  context = await browser.newContext();
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await context.close();
  await mcp.stop();
  await as.stop();
});

/**
 * Connects a client. `open` does what the person does with the page while the
 * client waits.
 */
async function connect(open, options = {}) {
  const failed = [];
  const login = browserLogin({
    show: () => {},
    open: (url) => void open(url).catch((error) => failed.push(error)),
  });
  const auth = oauth({ login, store: memoryStore(), ...options });
  const client = await Client.connect(http(mcp.url, { auth }), {
    info: { name: "caller", version: "1.0.0" },
  });
  expect(failed).toEqual([]);
  clients.push(client);
  return client;
}

const failure = (promise) =>
  promise.then(
    () => undefined,
    (error) => error,
  );

async function call(client) {
  const { content } = await client.callTool({ name: "echo", arguments: {} });
  return content[0].text;
}

/**
 * Fills in the pages of the authorization server, and returns the text of the
 * last page, which the client serves.
 */
async function agree(page) {
  await page.fill("input[name=login]", "ada");
  await page.fill("input[name=password]", "x");
  await page.click("button[type=submit]");
  await page.click("button[type=submit]");
  await page.waitForURL(/127\.0\.0\.1:\d+\/callback/);
  return page.innerText("body");
}

describe("a sign-in in a real browser", () => {
  it("succeeds, even if the person reloads the last page", async () => {
    let text = "";
    const client = await connect(async (url) => {
      const page = await context.newPage();
      await page.goto(url);
      text = await agree(page);
      await page.reload().catch(() => {});
    });
    expect(await call(client)).toBe("called");
    expect(as.grants).toEqual(["authorization_code granted"]);
    await expect
      .poll(() => text)
      .toContain("The program continues. You can close this page.");
  });

  it("fails as denied if the person refuses", async () => {
    let text = "";
    const error = await failure(
      connect(async (url) => {
        const page = await context.newPage();
        await page.goto(url);
        await page.click("a[href$='/abort']");
        await page.waitForURL(/\/callback/);
        text = await page.innerText("body");
      }),
    );
    expect(error).toMatchObject({ reason: "denied", code: "access_denied" });
    await expect.poll(() => text).toContain("You are not signed in.");
  });

  it("fails after loginTimeout if the person closes the tab", async () => {
    const error = await failure(
      connect(
        async (url) => {
          const page = await context.newPage();
          await page.goto(url);
          await page.close();
        },
        { loginTimeout: 2000 },
      ),
    );
    expect(error).toMatchObject({ reason: "timeout" });
    expect(error.message).toContain("within 2000 ms");
  });

  it("succeeds if the person opens the page in two tabs and continues in the second", async () => {
    const client = await connect(async (url) => {
      const [first, second] = [
        await context.newPage(),
        await context.newPage(),
      ];
      await first.goto(url);
      await second.goto(url);
      await agree(second);
    });
    expect(await call(client)).toBe("called");
    expect(as.grants).toEqual(["authorization_code granted"]);
  });

  it("AUTH-34 succeeds even if another site has sent the client a response with a wrong state", async () => {
    let text = "";
    const client = await connect(async (url) => {
      const callback = new URL(url).searchParams.get("redirect_uri");
      const other = await context.newPage();
      await other.goto(`${callback}?code=evil&state=evil&iss=${as.issuer}`);
      text = await other.innerText("body");
      const page = await context.newPage();
      await page.goto(url);
      await agree(page);
    });
    expect(text).toContain("This is not the answer to the current sign-in");
    expect(await call(client)).toBe("called");
  });

  it("AUTH-35 AUTH-36 fails if the response names another authorization server, and does not use its code", async () => {
    as.server.prependListener("request", (_, response) => {
      const setHeader = response.setHeader.bind(response);
      response.setHeader = (name, value) =>
        setHeader(
          name,
          /\/callback\?/.test(value)
            ? value.replace(/iss=[^&]+/, "iss=https%3A%2F%2Fevil.example.com")
            : value,
        );
    });
    const error = await failure(
      connect(async (url) => {
        const page = await context.newPage();
        await page.goto(url);
        await agree(page);
      }),
    );
    expect(error).toMatchObject({ reason: "issuer" });
    expect(as.grants).toEqual([]);
  });
});
