import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sendNode } from "../runtime/http/kit/exchange.js";
import { call, modernPost } from "../runtime/http/kit/messages.js";
import { modern, resultOf, textOf } from "../runtime/kit/index.js";
import { Issuer } from "../runtime/protect/issuer.js";
import { type Running, start } from "../runtime/protect/page.js";
import { bearer, challengeOf } from "../runtime/protect/serving.js";

// Below the packages of this folder, so that a program finds them.
const folder = mkdtempSync(
  join(fileURLToPath(new URL(".", import.meta.url)), "node_modules/.protect-"),
);
let issuer: Issuer;
let running: Running | undefined;
beforeAll(async () => {
  issuer = await Issuer.start();
});
afterEach(() => running?.stop());
afterAll(async () => {
  await issuer.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(["Express", "Hono"])(
  "the program for %s on the page about protected servers",
  (name) => {
    it("serves the metadata, refuses a request without a token, and answers one with a token", async () => {
      const { port, resource } = (running = await start(name, issuer, folder));
      const refused = await sendNode(
        port,
        modernPost(modern, call(1, "whoami")),
      );
      const metadata = `http://127.0.0.1:${port}/.well-known/oauth-protected-resource/mcp`;
      expect([refused.status, challengeOf(refused)]).toMatchObject([
        401,
        { resource_metadata: metadata },
      ]);
      expect(await (await fetch(metadata)).json()).toMatchObject({
        resource,
        authorization_servers: [issuer.issuer],
      });
      const headers = bearer(await issuer.token({ aud: resource }));
      const answer = await sendNode(
        port,
        modernPost(modern, call(1, "whoami"), { headers }),
      );
      expect([answer.status, textOf(resultOf(await answer.json()))]).toEqual([
        200,
        "ada",
      ]);
    });
  },
);
