import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import { generate, readSchema } from "../../src/index.js";
import { importedNames } from "../../src/generator/view/typescript/guards/names.js";
import { put } from "../files.js";
import { runtimeSources } from "../sources.js";
import { revisions } from "../repository.js";

const [old = "", newest = ""] = [revisions[0], revisions.at(-1)];
let out: string;

beforeAll(async () => {
  out = realpathSync(mkdtempSync(join(tmpdir(), "mcpgen-shaking-")));
  for (const names of [[old], [newest], [old, newest]]) {
    const { files } = await generate({
      protocols: await Promise.all(names.map((name) => readSchema(name))),
    });
    for (const { path, text } of files)
      put(join(out, names.join(), path), text);
  }
});

/**
 * Bundles a program. Returns its functions, constants and classes, and the
 * files that they come from.
 */
async function bundled(
  text: string,
): Promise<{ names: string[]; files: string[]; text: string }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: text, resolveDir: out, loader: "ts" },
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    write: false,
    metafile: true,
    logLevel: "silent",
    plugins: [runtimeSources],
  });
  const [output] = Object.values(metafile.outputs);
  const code = outputFiles[0]?.text ?? "";
  const declared = [
    ...code.matchAll(
      /^(?:var|let|const|(?:async )?function\*?|class) ([\w$]+)/gm,
    ),
  ];
  return {
    text: code,
    names: declared.map(([, name = ""]) => name),
    files: Object.entries(output?.inputs ?? {}).flatMap(
      ([path, { bytesInOutput }]) =>
        bytesInOutput === 0 || path === "<stdin>"
          ? []
          : [path.replace(/^.*\//, "")],
    ),
  };
}

/** The guards of types, without helpers such as `isObject`. */
const guardsIn = (names: readonly string[]): string[] =>
  names.filter(
    (name) => /^is[A-Z]/.test(name) && !importedNames.includes(name),
  );

/** Names that a guard of a tool call does not need. */
const unusedNames = [
  "Client",
  "clientSide",
  "createServer",
  "serverSide",
  "protocol",
  "classify",
  "callTool",
  "revision",
  "isTool",
  "isListToolsRequest",
  "isListToolsResult",
  "isCallToolResult",
  "isPrompt",
  "isResource",
  "isServerCapabilities",
  "isCompleteRequest",
  "isJSONRPCMessage",
  "isClientRequest",
  "isServerResult",
];

describe.each([old, newest])(
  "a bundle from the index.ts of revision %s",
  (revision) => {
    it("contains only the functions that a guard calls, if only that guard is used", async () => {
      const { names, files, text } = await bundled(
        `import { isCallToolRequest } from "./${revision}/index.js";\nconsole.log(isCallToolRequest({}));`,
      );
      expect(names).toContain("isCallToolRequest");
      expect(new Set(files)).toEqual(new Set(["validate.ts", "validators.ts"]));
      if (revision === old)
        expect(guardsIn(names)).toEqual(["isCallToolRequest"]);
      // In the newest revision a request may contain answers to questions, so
      // its guard calls more guards.
      for (const unused of unusedNames) expect(names).not.toContain(unused);
      expect(names.filter((name) => name.endsWith("Schema"))).toEqual([]);
      expect(text).not.toContain("tools/list");
      expect(text).not.toContain("class ");
    });

    it("contains nothing but the constant, if only a constant is used", async () => {
      const { names, files } = await bundled(
        `import { LATEST_PROTOCOL_VERSION } from "./${revision}/index.js";\nconsole.log(LATEST_PROTOCOL_VERSION);`,
      );
      expect(names).toEqual(["LATEST_PROTOCOL_VERSION"]);
      expect(files).toEqual(["types.ts"]);
    });

    it("is empty if only a type is used", async () => {
      const { names } = await bundled(
        `import type { Tool } from "./${revision}/index.js";\nexport const name = (tool: Tool): string => tool.name;`,
      );
      expect(names).toEqual(["name"]);
    });

    it("contains its guard and the error class, if only one schema object is used", async () => {
      const { names, files } = await bundled(
        `import { ToolSchema } from "./${revision}/index.js";\nconsole.log(ToolSchema.safeParse({}));`,
      );
      expect(names).toEqual(
        expect.arrayContaining([
          "ToolSchema",
          "isTool",
          "schema",
          "ValidationError",
        ]),
      );
      expect(names.filter((name) => name.endsWith("Schema"))).toEqual([
        "ToolSchema",
      ]);
      expect(new Set(files)).toEqual(new Set(["validate.ts", "validators.ts"]));
    });

    it("contains one engine and no server, if only a client is used", async () => {
      const { names, files, text } = await bundled(
        `import { Client } from "./${revision}/index.js";\nconsole.log(Client);`,
      );
      expect(text).toContain("static async connect(");
      expect(files).not.toContain("server.ts");
      expect(names).not.toContain("createServer");
      const [own, other] =
        revision === old ? ["legacy", "modern"] : ["modern", "legacy"];
      expect(files).toContain(`${own}-client.ts`);
      expect(
        files.filter(
          (name) =>
            name.startsWith(`${other}-`) || name.startsWith(`${own}-server`),
        ),
      ).toEqual([]);
    });

    it("contains what answers requests of the server for a client only if its tables of questions are used", async () => {
      const ofQuestions = new Set(["context.ts", "form.ts", "question.ts"]);
      const about = async (
        names: string,
      ): Promise<{ files: string[]; guard: boolean; answers: boolean }> => {
        const { files, names: all } = await bundled(
          `import { ${names} } from "./${revision}/index.js";\nconsole.log(${names});`,
        );
        return {
          files: files.filter((name) => ofQuestions.has(name)).sort(),
          guard: all.includes("isCreateMessageRequestParams"),
          answers: all.includes("answerQuestion"),
        };
      };
      expect(await about("Client")).toEqual({
        files: [],
        guard: false,
        answers: false,
      });
      expect(await about("Client, clientQuestions")).toEqual({
        // Only a server of the newest revision can send forms.
        files: ["context.ts", ...(revision === old ? [] : ["form.ts"])],
        guard: true,
        answers: true,
      });
    });

    it("contains what asks clients for a server only if its tables of questions are used", async () => {
      const ofQuestions = new Set([
        "digest.ts",
        "form.ts",
        "input-rounds.ts",
        "question.ts",
        "state.ts",
      ]);
      const about = async (names: string): Promise<string[]> => {
        const { files } = await bundled(
          `import { ${names} } from "./${revision}/index.js";\nconsole.log(${names});`,
        );
        return files.filter((name) => ofQuestions.has(name)).sort();
      };
      expect(await about("createServer")).toEqual([]);
      expect(await about("createServer, serverQuestions")).toEqual(
        revision === old ? ["question.ts"] : [...ofQuestions],
      );
    });
  },
);

it("a bundle from one of several revisions contains nothing of the others", async () => {
  const { names, text } = await bundled(
    `import { isTool } from "./${old},${newest}/${old}/index.js";\nconsole.log(isTool({}));`,
  );
  expect(names).toContain("isTool");
  expect(text).not.toContain("ttlMs");
});
