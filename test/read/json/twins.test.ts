import { describe, expect, it } from "vitest";
import { diff } from "../../../src/generator/ir/diff/index.js";
import type { Protocol } from "../../../src/generator/ir/model.js";
import { project } from "../../../src/generator/ir/projection.js";
import { renderText } from "../../../src/generator/ir/report/render.js";
import { officialSchema, revisions } from "../../oracle/index.js";
import { iface, map, member, unknown } from "../../ir/schemas.js";
import { read as readText, revision } from "../typescript/reading.js";
import { declarationOf, file, official, read } from "./reading.js";
import { madeUp, preRelease } from "./twins.js";

const defects = JSON.stringify([
  {
    rule: "untagged-number-is-integer",
    reason: "Untagged numbers are printed as whole ones.",
  },
]);

async function both(
  twins: { readonly typescript: string; readonly json: object },
  corrections: { readonly defects?: string },
): Promise<readonly [Protocol, Protocol]> {
  const { protocol: written } = await readText(twins.typescript, {
    revision: "twin",
  });
  const { protocol: printed, reports } = read(JSON.stringify(twins.json), {
    revision: "twin",
    ...corrections,
  });
  if (written === null || printed === null)
    throw new Error(JSON.stringify(reports));
  return [written, printed];
}

describe("a schema has the same projection in TypeScript and in JSON Schema", () => {
  it("if its revision is unknown", async () => {
    const [written, printed] = await both(madeUp, { defects });
    expect(project(printed)).toEqual(project(written));
    expect(renderText(diff(printed, written))).toBe("");
    expect(
      written.messages
        .map(({ method, sender }) => `${sender} ${method}`)
        .sort(),
    ).toEqual([
      "client initialize",
      "client kettles/brew",
      "client kettles/list",
      "server cups/offer",
      "server notifications/boiled",
    ]);
  });

  it("if it has the constructs of the pre-release, such as an inline map that is printed as a definition", async () => {
    const [written, printed] = await both(preRelease, {});
    expect(project(printed)).toEqual(project(written));
    expect(printed.declarations.map(({ name }) => name)).toContain(
      "Record<string,string>",
    );
    expect(
      written.messages.find(({ method }) => method === "roots/list")?.sender,
    ).toBe("either");
    expect(declarationOf(printed, "CallToolResult")).toEqual(
      iface(
        "CallToolResult",
        [],
        [member("_meta", map(unknown), true), member("toolResult", unknown)],
      ),
    );
  });
});

it("a message may refer to its base, or combine it with members, without a type of its own", () => {
  const base = {
    type: "object",
    properties: { method: { type: "string" } },
    required: ["method"],
  };
  const members = { properties: { method: { const: "a/combined" } } };
  const { protocol } = read(
    file({
      Base: base,
      CombinedRequest: { allOf: [{ $ref: "#/$defs/Base" }, members] },
      DerivedRequest: {
        $ref: "#/$defs/Base",
        properties: { method: { const: "a/derived" } },
      },
      ClientRequest: {
        anyOf: [
          { $ref: "#/$defs/CombinedRequest" },
          { $ref: "#/$defs/DerivedRequest" },
        ],
      },
    }),
  );
  expect(
    protocol?.messages.map(({ method, sender }) => `${sender} ${method}`),
  ).toEqual(["client a/combined", "client a/derived"]);
});

describe.each(revisions)("the official schema.json of revision %s", (name) => {
  it("defines exactly the types of schema.ts", async () => {
    const types = (await revision(name)).declarations.filter(
      ({ kind }) => kind !== "constant",
    );
    expect(
      official(name)
        .declarations.map((entry) => entry.name)
        .sort(),
    ).toEqual(types.map((entry) => entry.name).sort());
  });

  it("is read in the order of the text", () => {
    const schema = officialSchema(name) as Record<string, object | undefined>;
    const definitions = schema["$defs"] ?? schema["definitions"] ?? {};
    expect(official(name).declarations.map((entry) => entry.name)).toEqual(
      Object.keys(definitions),
    );
  });

  it("has no difference to schema.ts in a comparison, whose basis is the projection", async () => {
    const comparison = diff(official(name), await revision(name));
    expect(comparison.basis).toBe("projection");
    expect(comparison.differences).toEqual([]);
  });
});
