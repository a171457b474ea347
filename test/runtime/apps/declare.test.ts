import { uiResource, uiTool } from "@mcpgen/runtime/apps";
import { describe, expect, it } from "vitest";
import { badUris, goodUris } from "./hostile.js";

const uri = "ui://a/b.html";
const mimeType = "text/html;profile=mcp-app";
const tool = { name: "a", handler: () => "" };
const context = undefined as never;

describe("uiTool", () => {
  it("APPS-04 writes the URI under its key and under the deprecated one, and keeps other metadata", () => {
    const before = { ...tool, title: "A", _meta: { note: 1 } };
    expect(uiTool(before, { resourceUri: uri, visibility: ["app"] })).toEqual({
      ...before,
      _meta: {
        note: 1,
        ui: { resourceUri: uri, visibility: ["app"] },
        "ui/resourceUri": uri,
      },
    });
    expect(before._meta).toEqual({ note: 1 });
  });

  it("accepts a tool without its own view, for views of other tools", () => {
    expect(uiTool(tool, { visibility: ["app"] })._meta).toEqual({
      ui: { visibility: ["app"] },
    });
  });

  it.each(badUris)("APPS-05 refuses the URI %j", (wrong) => {
    expect(() => uiTool(tool, { resourceUri: wrong as string })).toThrow(
      /^The tool "a": resourceUri: expected a ui:\/\/ URI, got .+\.$/s,
    );
  });

  it.each(goodUris)("accepts the URI %s", (right) => {
    expect(uiTool(tool, { resourceUri: right })).toMatchObject({
      _meta: { ui: { resourceUri: right } },
    });
  });

  it.each([[[]], [["user"]], ["app"], [["model", 5]], [null]])(
    "APPS-08 refuses the visibility %j",
    (wrong) => {
      const expected = `The tool "a": visibility: expected a list of "model", "app" or both, got ${JSON.stringify(wrong)}.`;
      expect(() => uiTool(tool, { visibility: wrong as never })).toThrow(
        new TypeError(expected),
      );
    },
  );
});

describe("uiResource", () => {
  const meta = {
    csp: { frameDomains: ["https://a.example"] },
    permissions: { camera: {} },
    domain: "a.example",
  };

  it("APPS-06 has the MIME type of views, and its metadata in the list and in its contents", async () => {
    const resource = uiResource(
      { uri, name: "a", title: "A", _meta: { note: 1 }, read: () => "<p>" },
      meta,
    );
    expect(resource).toMatchObject({
      uri,
      name: "a",
      title: "A",
      mimeType,
      _meta: { note: 1, ui: meta },
    });
    expect(await resource.read(context)).toEqual({
      contents: [{ uri, mimeType, text: "<p>", _meta: { ui: meta } }],
    });
  });

  it("has no metadata by default", async () => {
    const resource = uiResource({ uri, name: "a", read: async () => "<p>" });
    expect(resource).not.toHaveProperty("_meta");
    expect(await resource.read(context)).toEqual({
      contents: [{ uri, mimeType, text: "<p>" }],
    });
  });

  it("decodes bytes as UTF-8, and returns a missing page and other kinds of results unchanged", async () => {
    const read = (value: unknown) =>
      uiResource({ uri, name: "a", read: () => value }, meta).read(context);
    expect(await read(new TextEncoder().encode("<p>é"))).toMatchObject({
      contents: [{ text: "<p>é" }],
    });
    expect(await read(undefined)).toBeUndefined();
    const question = { resultType: "input_required" };
    expect(await read(question)).toBe(question);
  });

  it("adds the MIME type and the metadata to the contents of a complete result, unless they have their own metadata", async () => {
    const ui = { prefersBorder: true };
    const contents = [
      { uri, text: "1" },
      { uri, text: "2", mimeType: "text/html", _meta: { ui } },
      { uri: "ui://other", text: "3" },
      5,
    ];
    const read = () => ({ contents, _meta: { note: 1 } });
    expect(
      await uiResource({ uri, name: "a", read }, meta).read(context),
    ).toEqual({
      _meta: { note: 1 },
      contents: [
        { uri, mimeType, text: "1", _meta: { ui: meta } },
        { uri, mimeType: "text/html", text: "2", _meta: { ui } },
        { uri: "ui://other", text: "3" },
        5,
      ],
    });
  });

  it.each(badUris)("APPS-05 refuses the URI %j", (wrong) => {
    expect(() =>
      uiResource({ uri: wrong as string, name: "a", read: () => "" }),
    ).toThrow(/uri: expected a ui:\/\/ URI, got .+\.$/s);
  });

  it("APPS-07 rejects metadata that a host must reject, and names the path", () => {
    const wrong = {
      csp: {
        connectDomains: [
          "https://a.example",
          "https://b.example; script-src *",
        ],
      },
    };
    expect(() => uiResource({ uri, name: "a", read: () => "" }, wrong)).toThrow(
      new TypeError(
        'The resource "ui://a/b.html": csp.connectDomains[1]: expected an origin without spaces, quotes, commas and semicolons, got "https://b.example; script-src *".',
      ),
    );
  });
});
