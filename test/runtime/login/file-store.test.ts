import {
  chmod,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileStore } from "@mcpgen/auth/login";
import { failure } from "../kit/index.js";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { grant } from "./grant.js";

let root = "";
let folder = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "mcpgen-store-"));
  folder = join(root, "settings", "auth");
});
afterEach(() => rm(root, { recursive: true, force: true }));

const keyOf = (server: string, account = ""): string =>
  JSON.stringify(["grant", server, account]);

function fail(message: string): never {
  throw new Error(message);
}

/** The path of the only file with this ending. */
async function only(ending: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(ending));
  expect(names).toHaveLength(1);
  return join(folder, names[0] ?? "");
}

describe("the file store", () => {
  it("keeps an entry for another process, and removes it", async () => {
    const key = keyOf("https://mcp.example.com/mcp");
    await fileStore({ folder }).set(key, grant("secret"));
    expect(await fileStore({ folder }).get(key)).toMatchObject({
      accessToken: "secret",
    });
    expect(
      await fileStore({ folder }).get(keyOf("https://other.example.com")),
    ).toBeUndefined();
    await fileStore({ folder }).set(key, undefined);
    await fileStore({ folder }).set(key, undefined);
    expect(await fileStore({ folder }).get(key)).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
  });

  it("makes a folder and files that only this user can read, and names no server in a file name", async () => {
    await fileStore({ folder }).set(
      keyOf("https://mcp.example.com"),
      grant("secret"),
    );
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const path = await only(".json");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(path).toMatch(/\/[0-9a-f]{32}\.json$/);
  });

  it("rejects a file or a folder that other users may read, with the command that fixes it", async () => {
    const key = keyOf("https://mcp.example.com");
    await fileStore({ folder }).set(key, grant("secret"));
    const path = await only(".json");
    await chmod(path, 0o644);
    await expect(fileStore({ folder }).get(key)).rejects.toThrow(
      `Run: chmod 600 '${path}'`,
    );
    await chmod(folder, 0o755);
    await expect(
      fileStore({ folder }).set(key, grant("secret")),
    ).rejects.toThrow(`Run: chmod 700 '${folder}'`);
  });

  it.each(["", '{"key":"secret', "[]", "null", '{"key":1,"value":{}}'])(
    "reports a file with the damaged text %j by its name, without its content",
    async (text) => {
      const key = keyOf("https://mcp.example.com");
      await fileStore({ folder }).set(key, grant("secret"));
      await writeFile(await only(".json"), text);
      const error = await failure(
        Promise.resolve(fileStore({ folder }).get(key)),
      );
      expect(error.message).toMatch(
        /^The file .+\.json is damaged: .+ Remove it, and sign in again\.$/,
      );
      expect(error.message).not.toContain("secret");
    },
  );

  it("keeps the complete old entry if a write is interrupted", async () => {
    const key = keyOf("https://mcp.example.com");
    const store = fileStore({ folder });
    await store.set(key, grant("old"));
    const path = await only(".json");
    await expect(
      store.set(key, {
        ...grant("new"),
        toJSON: () => fail("no text"),
      } as never),
    ).rejects.toThrow("no text");
    expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({
      value: { accessToken: "old" },
    });
  });

  it("ignores a temporary file of a killed process", async () => {
    const key = keyOf("https://mcp.example.com");
    const store = fileStore({ folder });
    await store.set(key, grant("old"));
    const path = await only(".json");
    await writeFile(`${path}.killed.new`, '{"key":');
    expect(await store.list()).toHaveLength(1);
    await store.set(key, grant("a".repeat(1_000_000)));
    expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({ key });
  });

  it("finds the entry of a server and account, even if other files are damaged", async () => {
    const store = fileStore({ folder });
    await store.set(keyOf("https://a.example.com"), grant("secret"));
    await writeFile(await only(".json"), "damaged");
    await store.set(keyOf("https://b.example.com", "ann"), grant("secret"));
    expect(await store.find("https://b.example.com", "ann")).toMatchObject({
      account: "ann",
      scopes: ["files"],
    });
    expect(await store.find("https://b.example.com")).toBeUndefined();
    await expect(store.find("https://a.example.com")).rejects.toThrow(
      "is damaged",
    );
  });

  it("lists servers and accounts in order, without tokens", async () => {
    const store = fileStore({ folder });
    expect(await store.list()).toEqual([]);
    await store.set(
      keyOf("https://b.example.com", "ann"),
      grant("secret-1", { expires: 5, refreshToken: "secret-2" }),
    );
    await store.set(keyOf("https://a.example.com"), grant("secret-3"));
    await store.set(
      JSON.stringify(["registration", "https://as.example.com"]),
      {
        kind: "registration",
        issuer: "https://as.example.com",
        clientId: "caller",
        clientSecret: "secret-4",
      },
    );
    const list = await store.list();
    expect(list).toEqual([
      {
        server: "https://a.example.com",
        account: "",
        issuer: "https://as.example.com",
        scopes: ["files"],
        expires: undefined,
        isRenewable: false,
      },
      expect.objectContaining({
        server: "https://b.example.com",
        account: "ann",
        expires: 5,
        isRenewable: true,
      }),
    ]);
    expect(JSON.stringify(list)).not.toContain("secret");
  });

  it("lists the accounts of many servers in their order, whatever the names of their files", async () => {
    const store = fileStore({ folder });
    const names = ["a", "b", "c", "d", "e", "f"].flatMap((name) =>
      ["", "ann", "bob"].map(
        (account) => [`https://${name}.example.com`, account] as const,
      ),
    );
    for (const [server, account] of [...names].reverse())
      await store.set(keyOf(server, account), grant("secret"));
    const list = await store.list();
    expect(list.map(({ server, account }) => [server, account])).toEqual(names);
  });

  it("is in the folder of the user's settings by default", () => {
    vi.stubEnv("XDG_CONFIG_HOME", "/settings");
    if (process.platform === "linux")
      expect(fileStore().folder).toBe("/settings/mcpgen/auth");
    vi.unstubAllEnvs();
  });
});

describe("the lock of the file store", () => {
  it("lets one holder of a key work at a time, and holders of different keys at the same time", async () => {
    const running = new Map<string, number>();
    let most = 0;
    const work = (key: string) => async (): Promise<void> => {
      running.set(key, (running.get(key) ?? 0) + 1);
      most = Math.max(most, running.get(key) ?? 0);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running.set(key, (running.get(key) ?? 0) - 1);
    };
    const stores = Array.from({ length: 4 }, () => fileStore({ folder }));
    await Promise.all(
      stores.flatMap((store) =>
        ["a", "b", "a"].map((key) => store.lock(key, work(key))),
      ),
    );
    expect(most).toBe(1);
    expect(await readdir(folder)).toEqual([]);
  });

  it("is released after work that fails, and the caller gets the error", async () => {
    const store = fileStore({ folder });
    await expect(
      store.lock("a", () => Promise.reject(new Error("no"))),
    ).rejects.toThrow("no");
    expect(await store.lock("a", () => Promise.resolve(1))).toBe(1);
  });
});
