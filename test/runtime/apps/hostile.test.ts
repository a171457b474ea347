import {
  appTools,
  isUiResource,
  isUiUri,
  modelTools,
  readView,
  uiMimeType,
  uiUriOf,
} from "@mcpgen/runtime/apps";
import { isValidationError } from "@mcpgen/runtime";
import { describe, expect, it } from "vitest";
import { failure } from "../kit/index.js";
import { badOrigins, badUris, goodOrigins, goodUris } from "./hostile.js";
import { clientOf } from "./kit.js";

const uri = "ui://a/b.html";
const page = { uri, mimeType: uiMimeType, text: "<p>" };
/** The message of the error with which a view with this metadata is refused. */
const refusal = async (ui: unknown): Promise<string> => {
  const error = await failure(
    readView(clientOf({ ...page, _meta: { ui } }), uri),
  );
  expect(isValidationError(error)).toBe(true);
  return error.message;
};

describe("a URI of a view", () => {
  it.each(badUris)("APPS-05 is not %j", async (wrong) => {
    expect(isUiUri(wrong)).toBe(false);
    expect(isUiResource({ ...page, uri: wrong })).toBe(false);
    expect(uiUriOf({ _meta: { ui: { resourceUri: wrong } } })).toBeUndefined();
    expect(uiUriOf({ _meta: { "ui/resourceUri": wrong } })).toBeUndefined();
    const requests: unknown[] = [];
    const client = {
      readResource: async (params: object) => (requests.push(params), {}),
    };
    expect(await failure(readView(client, wrong as string))).toMatchObject({
      message: expect.stringContaining("expected a ui:// URI.") as unknown,
    });
    expect(requests).toEqual([]);
  });

  it.each(goodUris)("is %s", async (right) => {
    expect(isUiUri(right)).toBe(true);
    expect(uiUriOf({ _meta: { ui: { resourceUri: right } } })).toBe(right);
    expect(await readView(clientOf({ ...page, uri: right }), right)).toEqual({
      uri: right,
      html: "<p>",
    });
  });

  it("APPS-05 is checked without backtracking", () => {
    const long = `ui://${"a%20".repeat(2_500_000)}`;
    expect([isUiUri(long), isUiUri(`${long}\n`)]).toEqual([true, false]);
  });

  it("is the deprecated one if there is no other", () => {
    expect(uiUriOf({ _meta: { ui: {}, "ui/resourceUri": uri } })).toBe(uri);
    expect(
      uiUriOf({
        _meta: { ui: { resourceUri: "ui://c" }, "ui/resourceUri": uri },
      }),
    ).toBe("ui://c");
    expect(
      uiUriOf({ _meta: { ui: { resourceUri: "c" }, "ui/resourceUri": uri } }),
    ).toBeUndefined();
    for (const _meta of [undefined, null, 5, [], { ui: 5 }])
      expect(uiUriOf({ _meta })).toBeUndefined();
  });
});

describe("a tool from a server", () => {
  const audiences = (tool: object) => [
    modelTools([tool]).length === 1,
    appTools([tool]).length === 1,
  ];

  it.each([
    [{}, true, true],
    [{ _meta: {} }, true, true],
    [{ _meta: { ui: {} } }, true, true],
    [{ _meta: { "ui/resourceUri": uri } }, true, true],
    [{ _meta: { ui: { visibility: ["model", "app"] } } }, true, true],
    [{ _meta: { ui: { visibility: ["model"] } } }, true, false],
    [{ _meta: { ui: { visibility: ["app"] } } }, false, true],
    [{ _meta: { ui: { visibility: ["app", "later"] } } }, false, true],
    [{ _meta: { ui: { visibility: [] } } }, false, false],
  ])(
    "APPS-08 %j is for the model (%s) and for views (%s)",
    (tool, model, app) => {
      expect(audiences(tool)).toEqual([model, app]);
    },
  );

  it.each(
    [
      [
        "model",
        "app",
        5,
        null,
        {},
        [["model", "app"]],
        ["model", "app", 5],
        ["Model", "APP"],
        [" model"],
      ],
    ].flat(1),
  )(
    "APPS-08 is neither for the model nor for views if its visibility is %j",
    (visibility) => {
      expect(audiences({ _meta: { ui: { visibility } } })).toEqual([
        false,
        false,
      ]);
    },
  );

  it.each([
    { _meta: null },
    { _meta: 5 },
    { _meta: [] },
    { _meta: { ui: "app" } },
    { _meta: { ui: null } },
  ])(
    "APPS-08 is neither for the model nor for views with the malformed metadata %j",
    (tool) => {
      expect(audiences(tool)).toEqual([false, false]);
    },
  );
});

describe("a view from a server", () => {
  it.each([
    ["no contents", []],
    ["another MIME type", [{ ...page, mimeType: "text/html" }]],
    ["no MIME type", [{ uri, text: "<p>" }]],
    [
      "a MIME type with an additional parameter",
      [{ ...page, mimeType: `${uiMimeType};a=b` }],
    ],
    ["another URI", [{ ...page, uri: "ui://c" }]],
    ["contents that are not objects", [5, null, "a"]],
  ])("APPS-06 is refused with %s", async (_, contents) => {
    const { message } = await failure(readView(clientOf(...contents), uri));
    expect(message).toContain(
      'The view "ui://a/b.html": expected contents of this URI with the MIME type',
    );
  });

  it.each([
    { text: undefined },
    { text: 5 },
    { text: undefined, blob: "*" },
    { text: null, blob: 5 },
  ])(
    "APPS-06 is refused with %j, which is neither text nor valid base64",
    async (own) => {
      const { message } = await failure(
        readView(clientOf({ ...page, ...own }), uri),
      );
      expect(message).toBe(
        'The view "ui://a/b.html": expected contents with text, or with a base64 blob.',
      );
    },
  );

  it("APPS-06 is refused if its contents are not a list", async () => {
    const missing = { readResource: async () => ({ contents: "page" }) };
    expect((await failure(readView(missing, uri))).message).toContain(
      "expected contents",
    );
  });

  it("APPS-06 may be base64 of UTF-8 text, and may be one of several contents", async () => {
    const blob = Buffer.from("<p>é").toString("base64");
    const other = { uri: "ui://c", mimeType: uiMimeType, text: "" };
    expect(
      await readView(clientOf(other, { uri, mimeType: uiMimeType, blob }), uri),
    ).toEqual({
      uri,
      html: "<p>é",
    });
  });

  it("APPS-06 may be large", async () => {
    const html = "<p>é</p>".repeat(1_250_000);
    expect(
      (await readView(clientOf({ ...page, text: html }), uri)).html === html,
    ).toBe(true);
    const blob = Buffer.from(html).toString("base64");
    expect(
      (await readView(clientOf({ uri, mimeType: uiMimeType, blob }), uri))
        .html === html,
    ).toBe(true);
  });

  it("APPS-07 has the metadata of its contents, otherwise that of the list", async () => {
    const rows = [
      { uri: "ui://c", _meta: { ui: { domain: "c" } } },
      { uri, _meta: { ui: { domain: "b" } } },
    ];
    const own = { ...page, _meta: { ui: { prefersBorder: true } } };
    expect(await readView(clientOf(page), uri, rows)).toEqual({
      uri,
      html: "<p>",
      domain: "b",
    });
    expect(await readView(clientOf(own), uri, rows)).toEqual({
      uri,
      html: "<p>",
      prefersBorder: true,
    });
    expect(await readView(clientOf(page), uri, [{ uri, _meta: null }])).toEqual(
      { uri, html: "<p>" },
    );
  });

  it.each([
    "connectDomains",
    "resourceDomains",
    "frameDomains",
    "baseUriDomains",
  ])("APPS-07 is refused with a wrong origin in csp.%s", async (name) => {
    for (const wrong of badOrigins) {
      const message = await refusal({
        csp: { [name]: [...goodOrigins, wrong] },
      });
      expect(message).toContain(
        `_meta.ui.csp.${name}[${goodOrigins.length}]: expected an origin`,
      );
      expect(message).not.toMatch(/[\r\n\0]/);
    }
    const csp = { [name]: goodOrigins };
    expect(
      await readView(clientOf({ ...page, _meta: { ui: { csp } } }), uri),
    ).toMatchObject({ csp });
  });

  it.each([
    [5, "_meta.ui: expected an object, got 5."],
    [[], "_meta.ui: expected an object, got []."],
    [{ csp: null }, "_meta.ui.csp: expected an object, got null."],
    [
      { csp: { connectDomains: "a" } },
      '_meta.ui.csp.connectDomains: expected a list of origins, got "a".',
    ],
    [
      { permissions: ["camera"] },
      '_meta.ui.permissions: expected an object, got ["camera"].',
    ],
    [
      { permissions: { camera: true } },
      "_meta.ui.permissions.camera: expected an object, got true.",
    ],
    [{ domain: "a b" }, "_meta.ui.domain: expected an origin"],
    [
      { prefersBorder: "no" },
      '_meta.ui.prefersBorder: expected a boolean, got "no".',
    ],
  ])("APPS-07 is refused with the metadata %j", async (ui, expected) => {
    expect(await refusal(ui)).toContain(`The view "${uri}": ${expected}`);
  });

  it("APPS-07 has only members that the extension defines, since a host writes them into headers and attributes", async () => {
    const ui = JSON.parse(
      '{"csp":{"script-src":["*"],"__proto__":{"a":1},"frameDomains":[]},"permissions":{"camera *; usb":{},"camera":{},"microphone":{},"geolocation":{},"clipboardWrite":{}},"later":1,"html":"x","uri":"y"}',
    ) as object;
    const view = await readView(clientOf({ ...page, _meta: { ui } }), uri);
    expect(view).toEqual({
      uri,
      html: "<p>",
      csp: { frameDomains: [] },
      permissions: {
        camera: {},
        microphone: {},
        geolocation: {},
        clipboardWrite: {},
      },
    });
  });

  it("APPS-07 is refused with a short message even if the server writes a long one", async () => {
    expect(
      (await refusal({ domain: " ".repeat(10_000_000) })).length,
    ).toBeLessThan(500);
  });
});
