import { type DeviceCode, deviceLogin, oauth, type OAuth } from "@mcpgen/auth";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AnyClient } from "../kit/index.js";
import { failure } from "../kit/index.js";
import { watch } from "../kit/watch.js";
import { json, refused, type Setup, setUp } from "./kit/index.js";

const deviceCode = "urn:ietf:params:oauth:grant-type:device_code";

/**
 * The authorization server knows devices, and answers the requests for a token
 * in this order.
 */
function withDevices(
  scene: Setup,
  answers: readonly string[],
  more: Record<string, unknown> = {},
): void {
  const { as, world } = scene;
  as.metadata["device_authorization_endpoint"] = `${as.issuer}/device`;
  world.routes.set(`${as.issuer}/device`, () =>
    json({
      device_code: "dc",
      user_code: "WDJB-MJHT",
      verification_uri: `${as.issuer}/enter`,
      expires_in: 600,
      interval: 0.001,
      ...more,
    }),
  );
  const queue = [...answers];
  as.tokenAnswer = ({ form }) => {
    if (form["grant_type"] !== deviceCode) return undefined;
    const next = queue.shift() ?? "authorization_pending";
    return next === "granted" ? as.issue() : refused(next);
  };
}

/** When the client asks for a token, in seconds from now. */
function timesOf({ as }: Setup): () => readonly number[] {
  const start = Date.now();
  const times: number[] = [];
  const { tokenAnswer } = as;
  as.tokenAnswer = (...args) => {
    times.push((Date.now() - start) / 1000);
    return tokenAnswer?.(...args);
  };
  return () => times;
}

/** Connects while time flies. */
async function connect(scene: Setup, auth: OAuth): Promise<AnyClient> {
  const seen = watch();
  const connecting = scene.connect(auth).finally(() => seen.saw("end"));
  connecting.catch(() => {});
  while (seen.events.length === 0) await vi.advanceTimersByTimeAsync(500);
  return connecting;
}

describe("a person who signs in on another device", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("enters a code there, while the client registers as a device and polls", async () => {
    const scene = setUp();
    withDevices(scene, ["authorization_pending", "granted"]);
    const codes: DeviceCode[] = [];
    const login = deviceLogin({ onCode: (code) => void codes.push(code) });
    const client = await connect(scene, oauth(scene.options({ login })));
    await client.listTools();
    expect(codes).toMatchObject([
      { url: "https://as.example.com/enter", code: "WDJB-MJHT" },
    ]);
    expect(scene.as.registrations).toMatchObject([
      { grant_types: [deviceCode, "refresh_token"], redirect_uris: [] },
    ]);
    const { resource, client_id } = scene.world.to("/device")[0]?.form ?? {};
    expect([resource, client_id]).toEqual([scene.server.url, "client-1"]);
  });

  it.each(["d", "pend", "authorization"])(
    "signs in although the code of the device is %s, a part of the error codes of the server",
    async (code) => {
      const scene = setUp();
      withDevices(scene, ["authorization_pending", "granted"], {
        device_code: code,
      });
      const client = await connect(
        scene,
        oauth(scene.options({ login: deviceLogin({ onCode: () => {} }) })),
      );
      expect(await client.listTools()).toBeDefined();
    },
  );

  it.each<[string, Record<string, unknown>, string[], number[]]>([
    ["5 seconds", { interval: undefined }, ["wait", "granted"], [5, 10]],
    [
      "the interval that the server names",
      { interval: 2 },
      ["wait", "granted"],
      [2, 4],
    ],
    ["a second at least", { interval: 0.5 }, ["wait", "granted"], [1, 2]],
    [
      "the interval, and 5 seconds more after each slow_down",
      { interval: 2 },
      ["slow_down", "wait", "slow_down", "granted"],
      [2, 9, 16, 28],
    ],
  ])("is asked for after %s, again and again", async (_, more, said, times) => {
    const scene = setUp();
    const answers = said.map((one) =>
      one.replace("wait", "authorization_pending"),
    );
    withDevices(scene, answers, more);
    const asked = timesOf(scene);
    const login = deviceLogin({ onCode: () => {} });
    await connect(scene, oauth(scene.options({ login })));
    expect(asked()).toEqual(times);
  });

  it.each([
    [6, [2, 4]],
    [7, [2, 4, 6]],
  ])(
    "is not asked for again after its code, which is valid for %i seconds, has expired",
    async (expires_in, times) => {
      const scene = setUp();
      withDevices(scene, [], { interval: 2, expires_in });
      const asked = timesOf(scene);
      const login = deviceLogin({ onCode: () => {} });
      const auth = oauth(scene.options({ login }));
      expect(await failure(connect(scene, auth))).toMatchObject({
        reason: "timeout",
      });
      expect(asked()).toEqual(times);
    },
  );

  it("signs in once: the token is refreshed afterwards", async () => {
    const scene = setUp();
    withDevices(scene, ["granted"]);
    let count = 0;
    const login = deviceLogin({ onCode: () => void count++ });
    const auth = oauth(scene.options({ login }));
    const client = await connect(scene, auth);
    scene.as.live.clear();
    await client.listTools();
    expect(count).toBe(1);
    expect(
      scene.world.to("/token").map(({ form }) => form["grant_type"]),
    ).toEqual([deviceCode, "refresh_token"]);
  });

  it.each([
    ["access_denied", "denied"],
    ["expired_token", "timeout"],
    ["invalid_grant", "grant"],
  ])(
    "gets an error if the authorization server answers %s",
    async (answer, reason) => {
      const scene = setUp();
      withDevices(scene, [answer]);
      const login = deviceLogin({ onCode: () => {} });
      expect(
        await failure(connect(scene, oauth(scene.options({ login })))),
      ).toMatchObject({ reason });
    },
  );

  const unused =
    ", which is not used: it must be an https URL, or an http URL of this machine.";

  it("gets no code from an endpoint that is not a safe URL", async () => {
    const scene = setUp();
    scene.as.metadata["device_authorization_endpoint"] = "javascript:alert(1)";
    const login = deviceLogin({ onCode: () => {} });
    expect(
      await failure(connect(scene, oauth(scene.options({ login })))),
    ).toMatchObject({
      reason: "unsafe-url",
      message: `mcp.example.com names "javascript:alert(1)" as the device_authorization_endpoint of its authorization server${unused}`,
    });
  });

  it("is not sent to a page that must not be opened, and sees no control characters in a code", async () => {
    const unsafe = setUp();
    withDevices(unsafe, ["granted"], {
      verification_uri: "javascript:alert(1)",
    });
    const login = deviceLogin({ onCode: () => {} });
    expect(
      await failure(connect(unsafe, oauth(unsafe.options({ login })))),
    ).toMatchObject({
      reason: "unsafe-url",
      message: `mcp.example.com names "javascript:alert(1)" as its page for the code${unused}`,
    });
    const hostile = setUp();
    withDevices(hostile, ["granted"], {
      user_code: `\u001b[2J\n${"x".repeat(500)}`,
    });
    const codes: DeviceCode[] = [];
    await connect(
      hostile,
      oauth(
        hostile.options({
          login: deviceLogin({ onCode: (code) => void codes.push(code) }),
        }),
      ),
    );
    expect(codes[0]?.code).toMatch(/^\ufffd\[2J\ufffdx{59}$/);
  });

  it("gets an error if the authorization server does not support devices", async () => {
    const scene = setUp();
    const login = deviceLogin({ onCode: () => {} });
    expect(
      await failure(connect(scene, oauth(scene.options({ login })))),
    ).toMatchObject({
      reason: "metadata",
    });
  });
});
