import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/generator/diagnostics.js";
import { read } from "../read/typescript/reading.js";
import { generated, load, type Loaded } from "./generated.js";

const modern = readFileSync("schema/2026-07-28/schema.ts", "utf8");

/** The newest bundled revision with more declarations and unions. */
function revisionWith(text: string, questions: string): string {
  const union = "export type InputRequest =";
  expect(modern).toContain(union);
  return `${modern.replace(union, `${union} ${questions} |`)}\n${text}`;
}

async function reportsOf(text: string): Promise<readonly Diagnostic[]> {
  const { protocol, reports } = await read(text);
  expect(protocol).not.toBeNull();
  return reports.filter(({ code }) => code === "MG411");
}

type Guard = (value: unknown) => boolean;

describe("inline params of a request that a result carries", () => {
  let guards: Loaded;
  beforeAll(async () => {
    const text = revisionWith(
      `
      export interface ConfirmRequest { method: "ui/confirm"; params: { text: string } }
      export interface PickRequest extends Request { method: "ui/pick"; params: { choices: string[] } }
      export interface Located extends Request { params?: { _meta?: { at: number } } }
      export interface AimRequest extends Located { method: "ui/aim"; params: { target: string } }
      export interface Stored extends Request { params: { key: string } }
      export interface ReadKeyRequest extends Stored { method: "ui/readKey" }
      export interface StoreKeyRequest extends Stored { method: "keys/store" }
      export interface StoreKeyResult extends Result { stored: boolean }
      `,
      "ConfirmRequest | PickRequest | AimRequest | ReadKeyRequest",
    );
    const { protocol, reports } = await read(
      text.replace(
        "export type ClientRequest =",
        "export type ClientRequest = StoreKeyRequest",
      ),
    );
    if (protocol === null) throw new Error(JSON.stringify(reports));
    const { files } = generated([protocol], { emit: ["validators"] });
    guards = await load(files, "validators.js");
  });
  const guard = (name: string): Guard => guards[name] as Guard;

  it.each([
    ["ConfirmRequest", "ui/confirm", { text: "Sure?" }],
    ["PickRequest", "ui/pick", { choices: [] }],
    ["AimRequest", "ui/aim", { target: "moon" }],
  ])(
    "%s: the guard of the params accepts what that of the request accepts",
    (name, method, params) => {
      expect(guard(`is${name}`)({ method, params })).toBe(true);
      expect(guard(`is${name}Params`)(params)).toBe(true);
    },
  );

  it("have the _meta of the member that they replace, and no other", () => {
    const accepts = guard("isAimRequestParams");
    expect(accepts({ target: "moon", _meta: { at: 1 } })).toBe(true);
    expect(accepts({ target: "moon", _meta: { at: "noon" } })).toBe(false);
    expect(guard("isPickRequestParams")({ choices: [], _meta: 1 })).toBe(true);
  });

  it("are a type of their own where a request on the wire inherits them too", () => {
    expect(guard("isStoredParams")({ key: "a" })).toBe(true);
    expect(guard("isStoredParams2")({ key: "a" })).toBe(false);
  });
});

describe("a request of the server in a revision without requests of servers", () => {
  const shout =
    'export interface ShoutRequest extends Request { method: "ui/shout" }';

  const union = "export type ServerRequest = ShoutRequest;";

  it("leaves a note that no result can ask it", async () => {
    expect(await reportsOf(`${modern}\n${shout}\n${union}`)).toMatchObject([
      {
        severity: "note",
        message:
          'a server cannot ask "ui/shout": with metadata on every request, only results ask, and they carry what InputRequest alone lists',
        hint: "list ShoutRequest in InputRequest, and in no other union",
      },
    ]);
  });

  it("leaves none if InputRequest lists it", async () => {
    expect(await reportsOf(revisionWith(shout, "ShoutRequest"))).toEqual([]);
  });

  it("leaves the note if both unions list it", async () => {
    const text = `${revisionWith(shout, "ShoutRequest")}\n${union}`;
    expect(await reportsOf(text)).toHaveLength(1);
  });

  it("leaves none in a revision with a handshake", async () => {
    const legacy = readFileSync("schema/2025-11-25/schema.ts", "utf8");
    expect(await reportsOf(legacy)).toEqual([]);
  });
});
