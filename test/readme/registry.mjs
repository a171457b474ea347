// A package registry on this machine: it has our packages, as if they were
// published, and passes each other request on to the registry of npm's
// configuration. The newest version of a pinned package is the one that the
// tests know.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename } from "node:path";

/** @param {Readonly<Record<string, string>>} pins versions by name */
export async function serveRegistry(pins) {
  const upstream = execFileSync("npm", ["config", "get", "registry"], {
    encoding: "utf8",
  }).trim();
  /** Our packages by name, and their tarballs by file name. */
  const packages = new Map();
  const tarballs = new Map();
  const server = createServer((request, response) => {
    const { host } = request.headers;
    const path = decodeURIComponent(request.url ?? "/").slice(1);
    if (tarballs.has(path)) {
      response.end(readFileSync(tarballs.get(path)));
      return;
    }
    if (packages.has(path)) {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(packages.get(path)(`http://${host}/`)));
      return;
    }
    answer(request).catch((error) =>
      response.writeHead(502).end(String(error)),
    );

    async function answer({ url = "/" }) {
      const { accept = "*/*" } = request.headers;
      const upstreamResponse = await fetch(new URL(url.slice(1), upstream), {
        headers: { accept },
      });
      const pinned = pins[decodeURIComponent(url).slice(1)];
      const body = Buffer.from(await upstreamResponse.arrayBuffer());
      response.writeHead(upstreamResponse.status, {
        "content-type": upstreamResponse.headers.get("content-type") ?? "",
      });
      response.end(pinned === undefined ? body : withLatest(body, pinned));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    /** Offers the packages of these tarballs by their names. */
    offer(paths) {
      for (const path of paths) {
        const { name, ...rest } = packageOf(path);
        tarballs.set(basename(path), path);
        packages.set(name, (url) =>
          described({ name, ...rest }, url + basename(path)),
        );
      }
    },
    close: () => server.close(),
  };
}

function withLatest(body, version) {
  const whole = JSON.parse(body.toString("utf8"));
  return JSON.stringify({
    ...whole,
    "dist-tags": { ...whole["dist-tags"], latest: version },
  });
}

/** The manifest in a tarball. */
function packageOf(path) {
  const args = ["-xzOf", path, "package/package.json"];
  return JSON.parse(execFileSync("tar", args, { encoding: "utf8" }));
}

/** What a registry says of a package with one version. */
const described = (manifest, tarball) => ({
  name: manifest.name,
  "dist-tags": { latest: manifest.version },
  versions: { [manifest.version]: { ...manifest, dist: { tarball } } },
});
