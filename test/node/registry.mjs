// A package registry on this machine: it has the packed packages, and passes every other request on to the registry of npm's
// configuration. The newest version of a pinned package is the one that the tests know.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, join } from "node:path";

/**
 * @param {readonly { readonly manifest: { readonly name: string, readonly version: string }, readonly tarball: string }[]} packages
 * @param {Readonly<Record<string, string>>} pins versions by name
 */
export async function serveRegistry(packages, pins) {
  const upstream = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
  const server = createServer((request, response) => {
    answer(request).catch((error) => response.writeHead(502).end(String(error)));

    async function answer({ url = "/" }) {
      const path = decodeURIComponent(url);
      const own = packages.find(({ manifest }) => path === `/${manifest.name}`);
      const packed = packages.find(({ tarball }) => path === `/-/${basename(tarball)}`);
      if (own !== undefined) return void response.end(JSON.stringify(document(own, request.headers.host)));
      if (packed !== undefined) return void response.end(readFileSync(packed.tarball));
      const { accept = "*/*" } = request.headers;
      const upstreamResponse = await fetch(new URL(url.slice(1), upstream), { headers: { accept } });
      const pinned = pins[path.slice(1)];
      const body = Buffer.from(await upstreamResponse.arrayBuffer());
      response.writeHead(upstreamResponse.status, {
        "content-type": upstreamResponse.headers.get("content-type") ?? "",
      });
      response.end(pinned === undefined ? body : withLatest(body, pinned));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

function withLatest(body, version) {
  const whole = JSON.parse(body.toString("utf8"));
  return JSON.stringify({ ...whole, "dist-tags": { ...whole["dist-tags"], latest: version } });
}

/** What a registry says about a package with one version. */
function document({ manifest, tarball }, host) {
  const { name, version } = manifest;
  const integrity = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
  const dist = { tarball: `http://${host}/-/${basename(tarball)}`, integrity };
  return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } };
}

/** Packs a package into a folder, as it would be published. */
export function pack(folder, destination) {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", destination];
  const [{ filename }] = JSON.parse(execFileSync("npm", args, { cwd: folder, encoding: "utf8" }));
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return { manifest, tarball: join(destination, filename.replace("@", "").replace("/", "-")) };
}
