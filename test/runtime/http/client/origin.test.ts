import { type Authorizer, http } from "@mcpgen/runtime/http";
import { describe, expect, it } from "vitest";
import { events, json, result, Script } from "../kit/script.js";
import { failure, legacy, makeClient, turns } from "../../kit/index.js";
import { call, done, open, opening, ways } from "../kit/client.js";
import { foreignPromise } from "../../kit/realm.js";

describe.each(ways)("a client over HTTP, by $way", ({ options }) => {
  it("HTTP-22 follows redirects only within the origin", async () => {
    const elsewhere = await Script.open(
      (_, response) => void response.writeHead(500).end(),
    );
    let target = "/other";
    const script = await opening((seen, response) => {
      if (seen.url === "/mcp")
        response.writeHead(307, { location: target }).end();
      else json(response, result(seen, done));
    });
    const headers = { authorization: "Bearer secret" };
    const client = await open(script, { ...options, headers });
    expect(await client.callTool(call)).toEqual(done);
    const last = script.seen.at(-1);
    expect(last).toMatchObject({
      url: "/other",
      method: "POST",
      body: { method: "tools/call" },
    });
    expect(last?.headers.authorization).toBe("Bearer secret");
    const reasons = [
      [
        elsewhere.url,
        `to another origin, ${elsewhere.origin}, which this client does not follow`,
      ],
      ["/mcp", "too many times"],
      ["https://", "without a valid location"],
    ] as const;
    for (const [place, why] of reasons) {
      target = place;
      expect(await failure(client.callTool(call))).toMatchObject({
        name: "TransportError",
        status: 307,
        message: `${script.url} redirects ${why}.`,
      });
    }
    expect(elsewhere.seen).toEqual([]);
  });

  it.each([
    [307, 5, undefined],
    [308, 5, undefined],
    [307, 6, "/mcp/5 redirects too many times."],
    [301, 1, "/mcp redirects with status 301, which would drop the message."],
    [303, 1, "/mcp redirects with status 303, which would drop the message."],
    [300, 0, "/mcp redirects without a valid location."],
    [399, 0, "/mcp redirects without a valid location."],
  ])(
    "HTTP-22 treats the status %i of %i redirects as the rules of redirects say",
    async (status, count, problem) => {
      const script = await opening((seen, response) => {
        const at = Number(seen.url.replace("/mcp", "").slice(1));
        const location = at < count ? { location: `/mcp/${at + 1}` } : {};
        if (at < Math.max(count, 1)) response.writeHead(status, location).end();
        else json(response, result(seen, done));
      });
      const client = await open(script, options);
      const calling = client.callTool(call);
      if (problem === undefined) expect(await calling).toEqual(done);
      else
        expect(await failure(calling)).toMatchObject({
          message: `${script.origin}${problem}`,
          status,
          mayHaveRun: false,
        });
    },
  );

  it("HTTP-22 follows a redirect of the stream of notifications with any status", async () => {
    const script = await opening(
      (seen, response) => {
        if (seen.url === "/mcp" && seen.method === "GET")
          response.writeHead(302, { location: "/other" }).end();
        else if (seen.method === "GET") events(response).flushHeaders();
        else json(response, result(seen, done));
      },
      { listens: true },
    );
    await open(script, options);
    await script.until(({ url }) => url === "/other");
  });

  it("HTTP-22 follows no redirect that would drop the body", async () => {
    const script = await opening((seen, response) => {
      if (seen.url === "/mcp")
        response.writeHead(302, { location: "/other" }).end();
      else json(response, result(seen, done));
    });
    const client = await open(script, options);
    expect(await failure(client.callTool(call))).toMatchObject({
      name: "TransportError",
      status: 302,
      message: `${script.url} redirects with status 302, which would drop the message.`,
    });
    expect(script.seen.some(({ url }) => url === "/other")).toBe(false);
  });

  it("sends the user's headers, from a function for each request, and lets its own take precedence", async () => {
    const script = await opening((seen, response) =>
      json(response, result(seen, done)),
    );
    let count = 0;
    const headers = async (): Promise<Record<string, string>> => ({
      Authorization: `Bearer ${count++}`,
      "Content-Type": "text/plain",
    });
    const client = await open(script, { ...options, headers });
    await client.callTool(call);
    const calls = script.seen.filter(({ method }) => method === "POST");
    expect(
      new Set(calls.map(({ headers }) => headers.authorization)).size,
    ).toBe(calls.length);
    expect(
      calls.every(
        ({ headers }) => headers["content-type"] === "application/json",
      ),
    ).toBe(true);
    const failing = makeClient(
      legacy.protocol,
      http(script.url, {
        ...options,
        headers: () => {
          throw new Error("no token");
        },
      }),
    );
    expect((await failure(failing)).message).toContain("no token");
  });

  it("sends the headers of an authorizer from a promise of another realm", async () => {
    const script = await opening((seen, response) =>
      json(response, result(seen, done)),
    );
    const auth: Authorizer = {
      connect: () => ({
        identity: "ada",
        headers: () => foreignPromise({ authorization: "Bearer t" }),
        challenged: () => Promise.resolve(false),
        close: () => {},
      }),
    };
    const client = await open(script, { ...options, auth });
    await client.callTool(call);
    expect(
      new Set(script.seen.map(({ headers }) => headers.authorization)),
    ).toEqual(new Set(["Bearer t"]));
  });

  it("RFC 7617: sends the user name and password of the URL in any characters, unless a header is set", async () => {
    const script = await opening((seen, response) =>
      json(response, result(seen, done)),
    );
    const url = script.url.replace("//", "//Zo%C3%AB%20%E2%82%AC:p%3Aw@");
    const client = await makeClient(legacy.protocol, http(url, options));
    const login = `Basic ${Buffer.from("Zoë €:p:w").toString("base64")}`;
    expect(script.seen.map(({ headers }) => headers.authorization)).toContain(
      login,
    );
    await client.close();
    expect(() => http("http://a%zz:secret@example.com/mcp", options)).toThrow(
      /^The login in the address of http:\/\/example\.com has a "%"/,
    );
    const headers = { Authorization: "Bearer t" };
    const other = await makeClient(
      legacy.protocol,
      http(url, { ...options, headers }),
    );
    expect(script.seen.at(-1)?.headers.authorization).toBe("Bearer t");
    await other.close();
  });

  it("asks an Authorizer of one's own after 403, and sends the request again if it resolves to true", async () => {
    let isIn = false;
    const script = await opening((seen, response) => {
      if (isIn) return json(response, result(seen, done));
      const challenge = 'Bearer error="insufficient_scope", scope="a b"';
      response
        .writeHead(403, {
          "www-authenticate": challenge,
          "content-type": "text/plain",
        })
        .end("no");
    });
    const challenges: string[] = [];
    const auth: Authorizer = {
      connect: () => ({
        identity: undefined,
        headers: () => ({ authorization: `Bearer ${challenges.length}` }),
        challenged: async ({ status, header }) => {
          challenges.push(`${status} ${header("www-authenticate")}`);
          await turns();
          isIn = challenges.length > 1;
          return isIn;
        },
        close: () => {},
      }),
    };
    const client = await open(script, { ...options, auth });
    expect(await failure(client.callTool(call))).toMatchObject({
      name: "TransportError",
      status: 403,
    });
    expect(await client.callTool(call)).toEqual(done);
    expect(script.seen.at(-1)?.headers.authorization).toBe("Bearer 2");
    expect(challenges).toEqual(
      Array.from(
        { length: 2 },
        () => '403 Bearer error="insufficient_scope", scope="a b"',
      ),
    );
  });
});
