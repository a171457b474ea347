// What access tokens cost a server over HTTP, in CPU time, beside the same
// server without them: 64 connections with a token each, the same with proofs
// of possession, and 10,000 tokens, after which the memory is read.
import { spawn, spawnSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { constants, setPriority } from "node:os";
import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  SignJWT,
} from "jose";
import { Line, post } from "./line.mjs";
import { cpuOf, memoryOf, pathOf } from "./processes.mjs";
import { above, median, modern, table } from "./shared.mjs";

const resource = "https://mcp.example.com/mcp";
const connections = 64;
/** How often each server is started and measured. */
const rounds = 5;
const calls = { warm: 10_000, measured: 40_000, turns: 10 };
/** Proofs take long to make, so that fewer are measured. */
const proofs = { warm: 500, measured: 3000, turns: 1 };
const tokens = 10_000;
const budgets = { cost: 1.1, memory: 1.1 };

// All processes share one core, and a server has the highest priority, if the
// user may set it. Otherwise the time that a server needs to wake up this
// process, which differs from one run to the next, is longer than what a token
// costs.
spawnSync("taskset", ["-cp", "0", String(process.pid)]);

const prefix = "io.modelcontextprotocol";
const _meta = {
  [`${prefix}/protocolVersion`]: modern,
  [`${prefix}/clientCapabilities`]: {},
  [`${prefix}/clientInfo`]: { name: "bench", version: "1.0.0" },
};
const params = { name: "echo", arguments: { text: "hello" }, _meta };
const modernHeaders = {
  "mcp-protocol-version": modern,
  "mcp-method": "tools/call",
  "mcp-name": "echo",
};

const [signer, holder] = await Promise.all(
  [1, 2].map(() => generateKeyPair("ES256", { extractable: true })),
);
const [signerJwk, holderJwk] = await Promise.all(
  [signer, holder].map(({ publicKey }) => exportJWK(publicKey)),
);
const thumbprint = await calculateJwkThumbprint(holderJwk);
const hash = (text) => createHash("sha256").update(text).digest("base64url");

// The authorization server, which only publishes its key.
const issuer = createServer((request, response) => {
  const origin = `http://127.0.0.1:${issuer.address().port}`;
  const document = request.url.endsWith("/jwks")
    ? { keys: [{ ...signerJwk, alg: "ES256", kid: "1" }] }
    : { issuer: origin, jwks_uri: `${origin}/jwks` };
  response
    .writeHead(200, { "content-type": "application/json" })
    .end(JSON.stringify(document));
}).listen(0, "127.0.0.1");
await once(issuer, "listening");
const iss = `http://127.0.0.1:${issuer.address().port}`;

const tokenOf = (sub, cnf) =>
  new SignJWT({
    iss,
    sub,
    client_id: "bench",
    aud: resource,
    scope: "mcp",
    ...(cnf && { cnf }),
  })
    .setProtectedHeader({ alg: "ES256", kid: "1", typ: "at+jwt" })
    .setExpirationTime("1h")
    .sign(signer.privateKey);

const proofFor = (token) =>
  new SignJWT({
    jti: randomUUID(),
    htm: "POST",
    htu: resource,
    ath: hash(token),
  })
    .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk: holderJwk })
    .setIssuedAt()
    .sign(holder.privateKey);

async function start(mode) {
  const child = spawn(process.execPath, [pathOf("http-protected"), mode, iss], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    setPriority(child.pid, constants.priority.PRIORITY_HIGHEST);
  } catch {}
  const [text] = await once(child.stdout, "data");
  return { child, port: Number(/^port (\d+)$/m.exec(text)[1]) };
}

/** Sends so many calls over all connections. */
async function many(lines, count, headersOf) {
  let next = 0;
  await Promise.all(
    lines.map(async (line, i) => {
      for (let id = next++; id < count; id = next++) {
        const body = { jsonrpc: "2.0", id, method: "tools/call", params };
        const answer = await line.send(
          post(body, { ...modernHeaders, ...(await headersOf(id, i)) }),
        );
        if (!answer.includes('"hello"')) throw new Error(answer);
      }
    }),
  );
}

/**
 * Microseconds of CPU per call, of one process for each kind of server. The
 * processes take turns, because the machine is faster at one time than at
 * another. `headersOf` returns the headers of a call, by its number and that of
 * its connection.
 */
async function costs(kinds, counts) {
  const running = [];
  for (const { mode, headersOf } of kinds) {
    const { child, port } = await start(mode);
    const lines = Array.from({ length: connections }, () => new Line(port));
    await many(lines, counts.warm, headersOf);
    running.push({ child, lines, headersOf, used: 0 });
  }
  for (let turn = 0; turn < counts.turns; turn++) {
    for (const server of running) {
      const before = cpuOf(server.child.pid);
      await many(
        server.lines,
        counts.measured / counts.turns,
        server.headersOf,
      );
      server.used += cpuOf(server.child.pid) - before;
    }
  }
  for (const { child, lines } of running) await end(child, lines);
  return running.map(({ used }) => used / counts.measured);
}

async function end(child, lines) {
  for (const line of lines) line.close();
  child.kill();
  await once(child, "close");
}

/**
 * Megabytes after each token was used once, and after they were all used
 * several times more.
 */
async function memory() {
  const { child, port } = await start("protected");
  const lines = Array.from({ length: connections }, () => new Line(port));
  const all = [];
  for (let i = 0; i < tokens; i += 500)
    all.push(
      ...(await Promise.all(
        Array.from({ length: 500 }, (_, n) => tokenOf(`user-${i + n}`)),
      )),
    );
  const headersOf = (id) => ({ authorization: `Bearer ${all[id % tokens]}` });
  const figures = [];
  for (let pass = 0; pass < 8; pass++) {
    await many(lines, tokens, headersOf);
    figures.push(memoryOf(child.pid));
  }
  await end(child, lines);
  return figures;
}

const own = await Promise.all(
  Array.from({ length: connections }, (_, i) => tokenOf(`user-${i}`)),
);
const bound = await Promise.all(
  Array.from({ length: connections }, (_, i) =>
    tokenOf(`user-${i}`, { jkt: thumbprint }),
  ),
);
const dpopProofs = await Promise.all(
  Array.from({ length: proofs.warm + proofs.measured }, (_, i) =>
    proofFor(bound[i % connections]),
  ),
);

const bearer = (_, i) => ({ authorization: `Bearer ${own[i]}` });
// Node's HTTP server is slower once a process has called `fetch`, as `protect`
// does for the keys of the issuer and many handlers do. A token is compared
// with the open server that has called it too.
const kinds = [
  { name: "open, never called fetch", mode: "open", headersOf: () => ({}) },
  { name: "open, called fetch once", mode: "fetched", headersOf: () => ({}) },
  {
    name: "open, called fetch once, ignores the token",
    mode: "fetched",
    headersOf: bearer,
  },
  {
    name: "with a token",
    mode: "protected",
    headersOf: bearer,
    budget: budgets.cost,
  },
];
const reference = 1;
const samples = [];
for (let round = 0; round < rounds; round++)
  samples.push(await costs(kinds, calls));
let proof = 0;
const withProof = () => {
  const at = proof++;
  return {
    authorization: `DPoP ${bound[at % connections]}`,
    dpop: dpopProofs[at],
  };
};
const [dpop] = await costs([{ mode: "dpop", headersOf: withProof }], proofs);
const rows = kinds.map(({ name, budget }, i) => {
  const ratio = median(samples.map((sample) => sample[i] / sample[reference]));
  const cost = median(samples.map((sample) => sample[i]));
  return [
    name,
    `${rounds} × ${calls.measured}`,
    cost,
    ratio,
    budget ? above(ratio, budget) : "",
  ];
});
rows.push([
  "with a token and a proof",
  `1 × ${proofs.measured}`,
  dpop,
  dpop / rows[reference][2],
  "",
]);
console.log(
  `HTTP server, echo tools/call of ${modern}, ${connections} connections`,
);
table(
  ["server", "calls measured", "µs of CPU per call", "of the second row", ""],
  rows.map(([name, count, cost, times, note]) => [
    name,
    count,
    cost.toFixed(1),
    `${times.toFixed(2)} ×`,
    note,
  ]),
);
const held = await memory();
// A single reading depends on when the garbage collector ran.
const later = median(held.slice(4));
console.log(`\n${tokens} tokens`);
table(
  ["calls", "MB"],
  held.map((value, pass) => [`${(pass + 1) * tokens}`, value.toFixed(0)]),
);
const growth = later / held[1];
console.log(
  `The median of the last four is ${growth.toFixed(2)} × the second. ${above(growth, budgets.memory)}`.trim(),
);
issuer.closeAllConnections();
issuer.close();
