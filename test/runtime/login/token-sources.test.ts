import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  fileToken,
  githubActionsToken,
  kubernetesToken,
} from "@mcpgen/auth/login";
import { afterEach, describe, expect, it, vi } from "vitest";

const open: (() => unknown)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of open.splice(0)) await close();
});

describe("the identity of a workload", () => {
  it.each([
    ["fileToken", fileToken],
    ["kubernetesToken", kubernetesToken],
  ])(
    "AUTH-83 by %s is read from its file each time, because the platform replaces it",
    async (_, read) => {
      const folder = await mkdtemp(join(tmpdir(), "mcpgen-token-"));
      open.push(() => rm(folder, { recursive: true }));
      const path = join(folder, "token");
      const source = read(path);
      await writeFile(path, "first\n");
      expect(await source()).toBe("first");
      await writeFile(path, "second\n");
      expect(await source()).toBe("second");
      await writeFile(path, "\n");
      await expect(source()).rejects.toThrow(`The file ${path} has no token.`);
    },
  );

  it("is in the file of the service account of a Kubernetes pod", async () => {
    const path = "/var/run/secrets/kubernetes.io/serviceaccount/token";
    // Most machines have no such file, which the error names.
    const outcome = (source: () => Promise<string>): Promise<string> =>
      source().catch(String);
    expect(await outcome(kubernetesToken())).toBe(
      await outcome(fileToken(path)),
    );
  });

  it("AUTH-83 comes from GitHub Actions with the audience of the authorization server", async () => {
    const seen: unknown[] = [];
    const server = createServer((request, response) => {
      seen.push([request.url, request.headers.authorization]);
      response.end(JSON.stringify({ value: "jwt" }));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    open.push(() => server.close());
    vi.stubEnv(
      "ACTIONS_ID_TOKEN_REQUEST_URL",
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/t?a=1`,
    );
    vi.stubEnv("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "secret");
    expect(await githubActionsToken()("https://as.example.com")).toBe("jwt");
    expect(
      await githubActionsToken({ audience: "api://mcp" })(
        "https://as.example.com",
      ),
    ).toBe("jwt");
    expect(seen).toEqual([
      ["/t?a=1&audience=https%3A%2F%2Fas.example.com", "Bearer secret"],
      ["/t?a=1&audience=api%3A%2F%2Fmcp", "Bearer secret"],
    ]);
  });

  it("is missing in a job without the permission for it, and the error names the permission", async () => {
    vi.stubEnv("ACTIONS_ID_TOKEN_REQUEST_URL", undefined);
    await expect(githubActionsToken()("x")).rejects.toThrow(
      new Error(
        "There is no identity of a GitHub Actions job. Add `permissions: id-token: write` to the job.",
      ),
    );
  });

  it("fails with the status of GitHub Actions, and the error does not contain the secret", async () => {
    const server = createServer((_, response) =>
      response.writeHead(403).end("secret"),
    ).listen(0, "127.0.0.1");
    await once(server, "listening");
    open.push(() => server.close());
    vi.stubEnv(
      "ACTIONS_ID_TOKEN_REQUEST_URL",
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    );
    vi.stubEnv("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "secret");
    await expect(githubActionsToken()("x")).rejects.toThrow(
      /^GitHub Actions answers 403 to the request for the identity of the job\.$/,
    );
  });

  it("does not show the secret of a job that no header can contain", async () => {
    vi.stubEnv("ACTIONS_ID_TOKEN_REQUEST_URL", "http://127.0.0.1:9/");
    vi.stubEnv("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "secret\r\nx: y");
    await expect(githubActionsToken()("x")).rejects.toThrow(
      new Error(
        "ACTIONS_ID_TOKEN_REQUEST_TOKEN must be printable ASCII without spaces.",
      ),
    );
  });
});
