import { createServer } from "node:http";
import { once } from "node:events";
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
import { Client, native, Stage, web } from "../examples/third-party.kit.mjs";
import { findChromium } from "./chromium.mjs";

const stage = new Stage();
let browser;
let context;
let world;
beforeAll(async () => {
  const executablePath = findChromium();
  if (executablePath === null)
    throw new Error(
      "there is no chromium; test/browser/chromium.mjs says how to get one",
    );
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  await stage.build();
});
afterAll(async () => {
  await browser?.close();
  stage.remove();
});
beforeEach(async () => {
  world = await stage.world();
  context = await browser.newContext();
});
afterEach(async () => {
  await context.close();
  await stage.clear();
});

/** Signs in at the third party, on its own pages. */
async function signIn(page) {
  await page.fill("[name=login]", "ada");
  await page.fill("[name=password]", "x");
  await page.click("[type=submit]");
  await page.click("[type=submit]");
}

/**
 * The parameters that the client gets after an act of the person. No server has
 * to listen at the address. Do not use the page afterwards: the error page of
 * the browser may interrupt its next navigation.
 */
async function answerTo(page, uri, act) {
  const request = page.waitForRequest((one) => one.url().startsWith(uri));
  await act().catch(() => {});
  return new URL((await request).url()).searchParams;
}

describe("the sign-in at a third party, in Chromium,", () => {
  it("AUTH-65 AUTH-87 leads through the consent page to a code, with cookies that the browser accepts", async () => {
    const client = await new Client(world.origin).register(native);
    const page = await context.newPage();
    await page.goto(client.authorizeUrl());
    expect(await page.textContent("h1")).toBe("Allow access?");
    expect(await page.textContent("body")).toContain(client.uri);
    await page.click("button >> text=Allow");
    await page.waitForURL((url) => url.origin === world.thirdParty.issuer);
    const between = await context.cookies(world.origin);
    expect(
      between.filter(({ name }) => name.startsWith("__Host-state-")),
    ).toHaveLength(1);
    const answer = await answerTo(page, client.uri, () => signIn(page));
    expect(answer.get("state")).toBe(client.state);
    const { status, body } = await client.redeem(answer.get("code"));
    expect(status).toBe(200);
    expect((await client.call(body.access_token)).status).toBe(200);
    const own = (await context.cookies(world.origin)).filter(({ name }) =>
      name.startsWith("__Host-"),
    );
    expect(own).toMatchObject([
      {
        name: "__Host-approved",
        path: "/",
        secure: true,
        httpOnly: true,
        sameSite: "Lax",
      },
    ]);
  });

  it("AUTH-65 skips the consent page only for a web application that was approved", async () => {
    const [first, second, third] = await Promise.all(
      [1, 2, 3].map(() => context.newPage()),
    );
    const client = await new Client(world.origin).register(web);
    await first.goto(client.authorizeUrl());
    await first.click("button >> text=Allow");
    await answerTo(first, client.uri, () => signIn(first));
    const again = await answerTo(second, client.uri, () =>
      second.goto(client.authorizeUrl()),
    );
    expect(again.has("code")).toBe(true);
    const other = await new Client(world.origin).register(web);
    await third.goto(other.authorizeUrl());
    expect(await third.textContent("h1")).toBe("Allow access?");
    const denied = await answerTo(third, other.uri, () =>
      third.click("button >> text=Deny"),
    );
    expect(denied.get("error")).toBe("access_denied");
  });

  it("AUTH-87 never shows the consent page in a frame", async () => {
    const client = await new Client(world.origin).register(native);
    const server = createServer((_, response) =>
      response
        .writeHead(200, { "content-type": "text/html" })
        .end(
          `<iframe src="${client.authorizeUrl().replaceAll("&", "&amp;")}"></iframe>`,
        ),
    ).listen(0, "127.0.0.1");
    await once(server, "listening");
    stage.open.push(() => server.close());
    const page = await context.newPage();
    const refused = page.waitForEvent("console", (message) =>
      /frame-ancestors|X-Frame-Options/i.test(message.text()),
    );
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await refused;
    for (const frame of page.frames())
      expect(await frame.content()).not.toContain("Allow access?");
  });

  it("AUTH-65 shows markup in the name of a client as text and runs no script", async () => {
    const name = `<img src=x onerror="document.title='changed'"><b>bold</b>`;
    const client = await new Client(world.origin).register({
      ...native,
      client_name: name,
    });
    const page = await context.newPage();
    await page.goto(client.authorizeUrl());
    expect(await page.textContent("p")).toContain(name);
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.title()).toBe("Allow access?");
  });
});
