import {
  type FeatureContext,
  prompts,
  type Resource,
  resources,
} from "@mcpgen/runtime/features";
import { describe, expect, it } from "vitest";
import {
  type AnyClient,
  failure,
  join,
  type Json,
  legacyRevisions,
  makeServer,
  modern,
  modernRevisions,
  revisions,
  type ServerOptions,
  turns,
} from "../kit/index.js";

const bytes = Uint8Array.from({ length: 20_000 }, (_, i) => i % 256);
const entries: readonly Resource[] = [
  {
    uri: "test://text",
    name: "text",
    mimeType: "text/plain",
    size: 2,
    read: () => "hi",
  },
  {
    uri: "test://bytes",
    name: "bytes",
    mimeType: "image/png",
    read: () => bytes,
  },
  { uri: "test://gone", name: "gone", read: () => undefined },
  {
    uri: "test://whole",
    name: "whole",
    title: "Two",
    annotations: { priority: 1 },
    read: () => ({
      contents: [
        { uri: "test://whole#1", text: "one" },
        { uri: "test://whole#2", blob: "AAA=" },
      ],
    }),
  },
  {
    uriTemplate: "test://item/{id}",
    name: "item",
    description: "One item",
    mimeType: "text/plain",
    read: ({ id }, uri) =>
      id === "0" ? undefined : id === "null" ? null : `${id} of ${uri}`,
  },
  {
    uriTemplate: "file:///{+path}",
    name: "files",
    read: ({ path }) => String(path),
  },
];

type Protocol = (typeof revisions)[number]["protocol"];

async function open(
  protocol: Protocol,
  source: Parameters<typeof resources>[0] = entries,
  options: Omit<ServerOptions, "handlers"> & {
    readonly pageSize?: number;
  } = {},
): Promise<AnyClient> {
  const { pageSize, ...rest } = options;
  const handlers = { ...resources(source, { pageSize }) };
  return (await join(protocol, { server: { ...rest, handlers } })).client;
}

/** The generated client has more methods than `AnyClient` lists. */
type Lists = Readonly<
  Record<
    "listResources" | "listResourceTemplates",
    (params?: Json) => Promise<Json>
  >
>;
const listsOf = (client: AnyClient): Lists => client as unknown as Lists;

describe("a fixed resource at the root of a host", () => {
  it.each([
    ["https://example.com", "https://example.com/"],
    ["https://example.com/", "https://example.com"],
    ["https://example.com?a=b", "https://example.com/?a=b"],
  ])("%s is read as %s too, which is the same URI", async (uri, other) => {
    const source = [
      { uri, name: "root", read: () => "root" },
    ] as readonly Resource[];
    const client = await open(modern.protocol, source);
    for (const one of [uri, other]) {
      const result = (await client.readResource({ uri: one })) as Json;
      expect(result["contents"]).toMatchObject([{ uri: one, text: "root" }]);
    }
  });

  it("a URI without a slash after its host matches a template, and one with a slash after its path is another URI", async () => {
    const client = await open(modern.protocol, [
      {
        uriTemplate: "https://two.example.com{?id}",
        name: "all",
        read: ({ id }: Record<string, string>) => String(id),
      },
      { uri: "test://plain", name: "plain", read: () => "plain" },
    ] as readonly Resource[]);
    const match = await client.readResource({
      uri: "https://two.example.com?id=7",
    });
    expect(match).toMatchObject({ contents: [{ text: "7" }] });
    expect(
      (await failure(client.readResource({ uri: "test://plain/" }))).message,
    ).toContain("no resource");
  });
});

describe.each(revisions)(
  "resources() at $revision",
  ({ protocol, revision }) => {
    it("RES-01 VERS-11 declares resources and lists those with a URI, and the templates", async () => {
      const client = await open(protocol);
      expect(client.server.capabilities).toEqual({ resources: {} });
      const { resources: listed } = await listsOf(client).listResources();
      expect(listed).toEqual([
        { uri: "test://text", name: "text", mimeType: "text/plain", size: 2 },
        { uri: "test://bytes", name: "bytes", mimeType: "image/png" },
        { uri: "test://gone", name: "gone" },
        {
          uri: "test://whole",
          name: "whole",
          ...(revision >= "2025-06-18" && { title: "Two" }),
          annotations: { priority: 1 },
        },
      ]);
      const { resourceTemplates } =
        await listsOf(client).listResourceTemplates();
      expect(resourceTemplates).toEqual([
        {
          uriTemplate: "test://item/{id}",
          name: "item",
          description: "One item",
          mimeType: "text/plain",
        },
        { uriTemplate: "file:///{+path}", name: "files" },
      ]);
    });

    it("PAGE-02 PAGE-06 lists both page by page", async () => {
      const client = await open(protocol, entries, { pageSize: 1 });
      const pages = async (
        list: (params?: Json) => Promise<Json>,
      ): Promise<number> => {
        let { nextCursor } = await list();
        let count = 1;
        for (; nextCursor !== undefined; count++)
          ({ nextCursor } = await list({ cursor: nextCursor }));
        return count;
      };
      const { listResources, listResourceTemplates } = listsOf(client);
      expect(await pages((params) => listResources.call(client, params))).toBe(
        4,
      );
      expect(
        await pages((params) => listResourceTemplates.call(client, params)),
      ).toBe(2);
    });

    it.each(["listResources", "listResourceTemplates"] as const)(
      "PAGE-04 rejects an unknown cursor of %s",
      async (name) => {
        const client = await open(protocol, entries, { pageSize: 1 });
        const error = await failure(
          listsOf(client)[name].call(client, { cursor: "test://nowhere" }),
        );
        expect(error).toMatchObject({
          code: -32602,
          message: "params.cursor: expected a cursor of this list.",
        });
      },
    );

    it("RES-03 reads text as text and bytes as base64, with the resource's own type", async () => {
      const client = await open(protocol);
      const text = await client.readResource({ uri: "test://text" });
      expect(text["contents"]).toEqual([
        { uri: "test://text", mimeType: "text/plain", text: "hi" },
      ]);
      const [content] = (await client.readResource({ uri: "test://bytes" }))[
        "contents"
      ] as readonly Json[];
      expect(content).toMatchObject({
        uri: "test://bytes",
        mimeType: "image/png",
      });
      expect(
        Buffer.from(String(content?.["blob"]), "base64").equals(bytes),
      ).toBe(true);
      const whole = await client.readResource({ uri: "test://whole" });
      expect(whole["contents"]).toHaveLength(2);
    });

    it("RES-07 reads a URI that matches a template, with the values of its variables", async () => {
      const client = await open(protocol);
      const read = async (uri: string): Promise<unknown> => {
        const [content] = (await client.readResource({ uri }))[
          "contents"
        ] as readonly Json[];
        return content?.["text"];
      };
      expect(await read("test://item/a%20b")).toBe("a b of test://item/a%20b");
      // Models and people write a space as it is.
      expect(await read("test://item/a b")).toBe("a b of test://item/a b");
      expect(await read("file:///my files/a b.txt")).toBe("my files/a b.txt");
      expect(await read("file:///etc/hosts")).toBe("etc/hosts");
    });

    it.each(["other://<a>", "a\\b", "test://unknown/a|b"])(
      "RES-07 says of text that no template matches that it is no URI, if so: %s",
      async (uri) => {
        const client = await open(protocol);
        expect(await failure(client.readResource({ uri }))).toMatchObject({
          code: -32602,
          message: `${JSON.stringify(uri)} is not a URI.`,
          data: { uri },
        });
      },
    );

    it.each([
      "file:///../etc/passwd",
      "file:///a/../../etc/passwd",
      "file:///a/..",
      "file:///..%2f..%2fetc/passwd",
      "file:///%2e%2e/etc/passwd",
      "file:///..\\windows",
      "file:////etc/passwd",
      "file:///%2fetc%2fpasswd",
      "file:///%5c%5cserver%5cshare",
      "file:///C:%5cx",
      "file:///c:/x",
      "file:///C:..%5cx",
      "test://item/..%2f..%2fetc%2fpasswd",
      "test://item/%2fetc%2fpasswd",
      "test://item/C:%5cx",
      "test://item/%00",
      "file:///a%5c..%5cb",
      "file:///a%00.txt",
      "test://item/..",
      "test://item/%2e%2e",
      "test://item/%2e%2e%2fx",
      "test://item/{id}",
      'test://item/"a"',
      "test://item/a\n",
    ])(
      "RES-06 rejects an invalid URI, and one that leads out of its template: %s",
      async (uri) => {
        const client = await open(protocol);
        expect(await failure(client.readResource({ uri }))).toMatchObject({
          code: -32602,
          data: { uri },
        });
      },
    );

    const disks = [
      {
        uriTemplate: "disk://{+path}",
        name: "disk",
        read: ({ path }: Record<string, string>) => path,
      },
    ];
    it.each([
      ["disk:///home/ada/a%20b", "/home/ada/a b"],
      ["disk:///C:/x", "/C:/x"],
    ])(
      "RES-06 accepts %s, whose absolute path is the whole path of the URI",
      async (uri, path) => {
        const client = await open(protocol, disks);
        const [content] = (await client.readResource({ uri }))[
          "contents"
        ] as readonly Json[];
        expect(content?.["text"]).toBe(path);
      },
    );

    it.each([
      "disk:////server/share",
      "disk:///%2fetc",
      "disk:///home/../etc",
      "disk://%2fetc",
      "disk:///x%00",
    ])(
      "RES-06 rejects %s, which has path traversal or another root",
      async (uri) => {
        const client = await open(protocol, disks);
        expect(await failure(client.readResource({ uri }))).toMatchObject({
          code: -32602,
        });
      },
    );

    const files = {
      uriTemplate: "file:///{root}/{+path}",
      name: "files",
      anyValue: ["path"],
      read: ({ root, path }: Record<string, string>) => `${root} ${path}`,
    } as const;
    it.each(["/etc/hosts", "a/../b", "C:/x"])(
      "RES-06 accepts the value %s of a variable in anyValue",
      async (path) => {
        const client = await open(protocol, [files]);
        const { contents } = await client.readResource({
          uri: `file:///home/${path}`,
        });
        expect(contents).toMatchObject([{ text: `home ${path}` }]);
      },
    );

    it("RES-06 refuses path traversal in variables beside anyValue, which is not listed", async () => {
      const client = await open(protocol, [files]);
      const { resourceTemplates } =
        await listsOf(client).listResourceTemplates();
      expect(resourceTemplates).toEqual([
        { uriTemplate: files.uriTemplate, name: "files" },
      ]);
      expect(
        await failure(client.readResource({ uri: "file:///%2e%2e/a" })),
      ).toMatchObject({ code: -32602 });
    });

    it("RES-06 refuses a name in anyValue that the template does not have", () => {
      const unknown = { ...files, anyValue: ["other"] as never };
      expect(() => resources([unknown])).toThrow("has no variable other");
    });

    const menus = [
      {
        uri: "test://café/our menu",
        name: "menu",
        complete: {},
        read: () => "soup",
      } as Resource,
      {
        uriTemplate: "test://cafés/{city}/carte du jour",
        name: "menus",
        read: ({ city }: Record<string, string>) => city ?? "",
      },
    ];
    it.each([
      ["test://café/our menu", "soup"],
      ["test://caf%C3%A9/our%20menu", "soup"],
      ["test://caf%c3%a9/our%20menu", "soup"],
      ["test://caf%C3%A9s/S%C3%A3o%20Paulo/carte%20du%20jour", "São Paulo"],
      ["test://cafés/%41/carte%20du%20jour", "A"],
    ])(
      "reads %s, a URI or a template with é or a space, also by its encoded URI: %s",
      async (uri, text) => {
        const client = await open(protocol, menus);
        expect((await client.readResource({ uri }))["contents"]).toEqual([
          { uri, text },
        ]);
      },
    );

    it("reads no URI that is encoded twice", async () => {
      const client = await open(protocol, menus);
      expect(
        await failure(
          client.readResource({ uri: "test://caf%C3%A9/our%2520menu" }),
        ),
      ).toBeDefined();
    });

    it("refuses two resources whose encoded URIs are the same", () => {
      const twice = [
        { uri: "test://é", name: "a", read: () => "" },
        { uri: "test://%C3%A9", name: "b", read: () => "" },
      ];
      expect(() => resources(twice)).toThrow("is declared twice");
    });

    it.each(["file:///a..b/c...d", "file:///.git/config", "test://item/..."])(
      "RES-06 accepts %s, which has dots without path traversal",
      async (uri) => {
        const client = await open(protocol);
        expect((await client.readResource({ uri }))["contents"]).toHaveLength(
          1,
        );
      },
    );

    it("RES-01 TOOL-13 declares listChanged if a function returns the resources", async () => {
      const requests: unknown[] = [];
      const source = (context: FeatureContext): readonly Resource[] => {
        requests.push(context.revision);
        return entries;
      };
      const client = await open(protocol, source);
      expect(client.server.capabilities).toMatchObject({
        resources: { listChanged: true },
      });
      await client.readResource({ uri: "test://text" });
      expect(requests).toEqual([client.revision]);
    });

    it("COMP-01 COMP-03 does not declare or handle completion if no variable has a completer", async () => {
      const handlers = { ...resources(entries), ...prompts([]) };
      const { client } = await join(protocol, { server: { handlers } });
      expect(client.server.capabilities).toEqual({
        resources: {},
        prompts: {},
      });
      const ref = { type: "ref/resource", uri: "test://item/{id}" };
      const completion = client.complete({
        ref,
        argument: { name: "id", value: "" },
      });
      expect(await failure(completion)).toSatisfy(
        (error: Json) =>
          error["code"] === -32601 || error["name"] === "SessionError",
      );
    });

    it("reports an invalid result of a resource as an internal error, and calls onError", async () => {
      const errors: Error[] = [];
      const client = await open(
        protocol,
        [{ uri: "test://odd", name: "odd", read: () => 7 }],
        {
          onError: (error) => errors.push(error),
        },
      );
      expect(
        await failure(client.readResource({ uri: "test://odd" })),
      ).toMatchObject({ code: -32603 });
      expect(errors.map(({ message }) => message)).toEqual([
        "Reading test://odd: expected text, bytes, or a result with contents.",
      ]);
    });
  },
);

const missing = [
  "test://other",
  "test://gone",
  "test://item/null",
  "test://item/0",
  "constructor",
  "",
];

describe.each(legacyRevisions)("resources() at $revision", ({ protocol }) => {
  it.each(missing)(
    'RES-02 answers "resource not found" for "%s"',
    async (uri) => {
      const client = await open(protocol, entries.slice(0, 5));
      expect(await failure(client.readResource({ uri }))).toMatchObject({
        code: -32002,
        data: { uri },
      });
    },
  );

  it("RES-04 accepts subscriptions if the capability is declared", async () => {
    const client = await open(protocol, entries, {
      capabilities: { resources: { subscribe: true } },
    });
    expect(await client.subscribe?.({ uri: "test://text" })).toEqual({});
  });
});

describe.each(modernRevisions)("resources() at $revision", ({ protocol }) => {
  it.each(missing)(
    'RES-02 answers "invalid params" with the URI for "%s"',
    async (uri) => {
      const client = await open(protocol, entries.slice(0, 5));
      expect(await failure(client.readResource({ uri }))).toMatchObject({
        code: -32602,
        data: { uri },
      });
    },
  );
});

describe("resources()", () => {
  it("rejects a URI that is declared twice, and an invalid template", () => {
    const text = entries[0] as Resource;
    expect(() => resources([text, text])).toThrow(
      '"test://text" is declared twice',
    );
    expect(() =>
      resources([{ uriTemplate: "a{b**}", name: "x", read: () => "" }]),
    ).toThrow("is not an expression");
    const complete = { other: ["a"] };
    const template = {
      uriTemplate: "a{b}",
      name: "x",
      complete,
      read: () => "",
    };
    expect(() => resources([template])).toThrow("has no variable other");
    const twice = { ...resources([text]), ...resources([text]) };
    expect(() => makeServer(modern.protocol, { handlers: twice })).toThrow(
      "declared twice",
    );
  });
});

describe.each(legacyRevisions)(
  "subscriptions to the resources of a server of $revision",
  ({ protocol }) => {
    const calls: unknown[] = [];
    const watched: Resource[] = [
      {
        uri: "test://text",
        name: "text",
        read: () => "hi",
        subscribe: () => calls.push("subscribe text"),
        unsubscribe: () => calls.push("unsubscribe text"),
      },
      {
        uriTemplate: "test://item/{id}",
        name: "item",
        read: () => "item",
        subscribe({ id }, uri) {
          calls.push([id, uri]);
          if (id === "0") throw new Error("There is no item 0.");
        },
      },
    ];

    it("call the functions of the resource, with the variables of a template", async () => {
      calls.length = 0;
      const client = await open(protocol, watched);
      expect(client.server.capabilities).toMatchObject({
        resources: { subscribe: true },
      });
      await client.subscribe?.({ uri: "test://text" });
      await client.subscribe?.({ uri: "test://item/7" });
      await client.unsubscribe?.({ uri: "test://item/7" });
      await client.unsubscribe?.({ uri: "test://text" });
      await client.subscribe?.({ uri: "test://other" });
      expect(calls).toEqual([
        "subscribe text",
        ["7", "test://item/7"],
        "unsubscribe text",
      ]);
    });

    it("are refused if the function throws, or for a URI with path traversal", async () => {
      const client = await open(protocol, watched);
      await expect(
        client.subscribe?.({ uri: "test://item/0" }),
      ).rejects.toMatchObject({ code: -32603 });
      await expect(
        client.subscribe?.({ uri: "test://item/%2e%2e" }),
      ).rejects.toMatchObject({ code: -32602 });
    });

    it.each(["subscribe", "unsubscribe"] as const)(
      "wait for the %s of a resource or a template, and are refused with its error",
      async (method) => {
        const fail = async (): Promise<never> => {
          await turns(5);
          throw new Error("No more.");
        };
        const client = await open(protocol, [
          {
            uri: "test://one",
            name: "one",
            read: () => "",
            [method]: fail,
          },
          {
            uriTemplate: "test://some/{id}",
            name: "some",
            read: () => "",
            [method]: fail,
          },
        ]);
        for (const uri of ["test://one", "test://some/1"])
          await expect(client[method]?.({ uri })).rejects.toMatchObject({
            code: -32603,
          });
      },
    );

    it("are not declared by a server whose resources have no such functions", async () => {
      const client = await open(protocol, entries);
      expect(client.server.capabilities).not.toMatchObject({
        resources: { subscribe: true },
      });
    });
  },
);
