// A package registry on this machine: it passes each request on to the registry
// of npm's configuration. The newest version of a pinned package is the one
// that the tests know.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";

/** @param {Readonly<Record<string, string>>} pins versions by name */
export async function serveRegistry(pins) {
  const upstream = execFileSync("npm", ["config", "get", "registry"], {
    encoding: "utf8",
  }).trim();
  const server = createServer((request, response) => {
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
