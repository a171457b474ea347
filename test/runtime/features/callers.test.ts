import { memoryPair, serve } from "@mcpgen/runtime";
import {
  type Features,
  type FeatureContext,
  prompts,
  resources,
  tools,
} from "@mcpgen/runtime/features";
import { describe, expect, it } from "vitest";
import { callOf } from "../kit/calls.js";
import {
  errorOf,
  type Json,
  makeServer,
  metaFor,
  resultOf,
  revisions,
  shakeHands,
  Wire,
} from "../kit/index.js";
import { knowing } from "../kit/principal.js";

const principalOf = ({ auth }: FeatureContext): string =>
  String(auth?.principal);

describe.each(revisions)("features at $revision", (one) => {
  const meta = one.isModern ? { _meta: metaFor(one) } : {};
  const serveAs = async (
    features: Features,
    principal: () => string,
  ): Promise<Wire> => {
    const [clientTransport, serverTransport] = memoryPair();
    const server = makeServer(one.protocol, {
      handlers: { ...features } as never,
    });
    await serve(knowing(serverTransport, principal), server);
    const wire = new Wire(clientTransport);
    if (!one.isModern) await shakeHands(wire, one.revision);
    await wire.rest();
    return wire;
  };

  it("reject a tool that is hidden from the caller like an unknown one, and do not run it (TOOL-18)", async () => {
    let runs = 0;
    let principal = "ann";
    const secret = { name: "secret", handler: () => `run ${++runs}` };
    const wire = await serveAs(
      tools((context) => (principalOf(context) === "ann" ? [secret] : [])),
      () => principal,
    );
    const call = callOf(one, { name: "secret" });
    const listed = async (): Promise<unknown> =>
      resultOf(await wire.ask(1, "tools/list", meta))["tools"];
    expect(await listed()).toMatchObject([{ name: "secret" }]);
    expect(await wire.ask(2, "tools/call", call)).toHaveProperty("result");
    principal = "bob";
    expect(await listed()).toEqual([]);
    expect(errorOf(await wire.ask(3, "tools/call", call))).toEqual({
      code: -32602,
      message: 'There is no tool "secret".',
    });
    expect(runs).toBe(1);
  });

  describe("suggest to each caller its own values", () => {
    const open = async () => {
      const projects: Readonly<Record<string, readonly string[]>> = {
        ann: ["apollo", "atlas"],
        bob: ["argo"],
      };
      let principal = "ann";
      const prompt = (context: FeatureContext, name: string): object => ({
        name,
        arguments: [
          {
            name: "project",
            complete: () => projects[principalOf(context)] ?? [],
          },
        ],
        get: () => "text",
      });
      const wire = await serveAs(
        prompts((context) =>
          ["open", ...(principalOf(context) === "ann" ? ["hidden"] : [])].map(
            (name) => prompt(context, name) as never,
          ),
        ),
        () => principal,
      );
      const complete = (name: string): Promise<Json> =>
        wire.ask(1, "completion/complete", {
          ref: { type: "ref/prompt", name },
          argument: { name: "project", value: "a" },
          ...meta,
        });
      return { complete, become: (name: string) => (principal = name) };
    };

    it("of an argument (COMP-08)", async () => {
      const { complete, become } = await open();
      expect(resultOf(await complete("open"))["completion"]).toEqual({
        values: ["apollo", "atlas"],
      });
      become("bob");
      expect(resultOf(await complete("open"))["completion"]).toEqual({
        values: ["argo"],
      });
    });

    it("and do not reveal the existence of prompts of others (COMP-08)", async () => {
      const { complete, become } = await open();
      expect(await complete("hidden")).toHaveProperty("result");
      become("bob");
      const hidden = errorOf(await complete("hidden"));
      const absent = errorOf(await complete("absent"));
      expect(hidden["code"]).toBe(absent["code"]);
      expect(String(hidden["message"]).replace("hidden", "absent")).toBe(
        absent["message"],
      );
    });
  });

  const good = {
    ref: { type: "ref/prompt", name: "p" },
    argument: { name: "a", value: "v" },
  };
  const completing = async () => {
    let runs = 0;
    const complete = (): string[] => [`run ${++runs}`];
    const prompt = {
      name: "p",
      arguments: [{ name: "a", complete }],
      get: () => "text",
    };
    const wire = await serveAs(prompts([prompt]), () => "ann");
    return { wire, runs: () => runs };
  };

  it.each([
    { ref: { type: "ref/other", name: "p" } },
    { ref: { type: "ref/prompt" } },
    { ref: "p" },
    { ref: undefined },
    { argument: { name: "a", value: 7 } },
    { argument: { name: "a" } },
    { argument: { name: "a", value: "v".repeat(10_001) } },
  ])(
    "refuse a completion with %j, a bad reference or value, without running its function (COMP-06)",
    async (part) => {
      const { wire, runs } = await completing();
      const answer = await wire.ask(1, "completion/complete", {
        ...good,
        ...part,
        ...meta,
      });
      expect(answer).toMatchObject({ error: { code: -32602 } });
      expect(runs()).toBe(0);
    },
  );

  it("run the function of a completion once (COMP-06)", async () => {
    const { wire, runs } = await completing();
    expect(
      await wire.ask(2, "completion/complete", { ...good, ...meta }),
    ).toHaveProperty("result");
    expect(runs()).toBe(1);
  });

  const counting = async () => {
    let runs = 0;
    const prompt = {
      name: "p",
      arguments: [{ name: "a", required: true }],
      get: () => `run ${++runs}`,
    };
    const wire = await serveAs(prompts([prompt]), () => "ann");
    const get = (args: unknown): Promise<Json> =>
      wire.ask(1, "prompts/get", { name: "p", arguments: args, ...meta });
    return { get, runs: () => runs };
  };

  it.each(
    [undefined, {}, { a: 7 }, { a: null }, { a: ["x"] }, "a", [["a"]]].map(
      (args) => ({ args }),
    ),
  )(
    "refuse a prompt with the arguments $args, of which one is missing or not a string, without running it (PROMPT-06)",
    async ({ args }) => {
      const { get, runs } = await counting();
      expect(await get(args)).toMatchObject({ error: { code: -32602 } });
      expect(runs()).toBe(0);
    },
  );

  it("run a prompt that has its arguments", async () => {
    const { get, runs } = await counting();
    expect(await get({ a: "x" })).toHaveProperty("result");
    expect(runs()).toBe(1);
  });

  it("send every byte from 0x00 to 0xFF in standard base64 (RES-10)", async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
    const wire = await serveAs(
      resources([{ uri: "test://bytes", name: "bytes", read: () => bytes }]),
      () => "ann",
    );
    const { contents } = resultOf(
      await wire.ask(1, "resources/read", { uri: "test://bytes", ...meta }),
    );
    const [content] = contents as readonly Json[];
    expect(content).not.toHaveProperty("text");
    expect(content?.["blob"]).toBe(Buffer.from(bytes).toString("base64"));
  });
});
