// What access tokens cost a server over HTTP, in CPU time, beside the same server without them: 64 connections with a token each, the
// same with proofs of possession, and 10,000 tokens, after which the memory is read.
import { spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from "jose";
import { Line, post } from "./line.mjs";
import { cpuOf, memoryOf, pathOf } from "./processes.mjs";
import { above, median, modern, table } from "./shared.mjs";

const resource = "https://mcp.example.com/mcp";
const connections = 64;
const rounds = 5;
const warm = 10_000;
const measured = 20_000;
/** Proofs are dear to make, so that fewer are measured. */
const proofs = { warm: 500, measured: 3000 };
const tokens = 10_000;
const budgets = { cost: 1.1, memory: 1.1 };

const prefix = "io.modelcontextprotocol";
const _meta = {
  [`${prefix}/protocolVersion`]: modern,
  [`${prefix}/clientCapabilities`]: {},
  [`${prefix}/clientInfo`]: { name: "bench", version: "1.0.0" },
};
const params = { name: "echo", arguments: { text: "hello" }, _meta };
const modernHeaders = { "mcp-protocol-version": modern, "mcp-method": "tools/call", "mcp-name": "echo" };

const [signer, holder] = await Promise.all([1, 2].map(() => generateKeyPair("ES256", { extractable: true })));
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
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
}).listen(0, "127.0.0.1");
await once(issuer, "listening");
const iss = `http://127.0.0.1:${issuer.address().port}`;

const tokenOf = (sub, cnf) =>
  new SignJWT({ iss, sub, client_id: "bench", aud: resource, scope: "mcp", ...(cnf && { cnf }) })
    .setProtectedHeader({ alg: "ES256", kid: "1", typ: "at+jwt" })
    .setExpirationTime("1h")
    .sign(signer.privateKey);

const proofFor = (token) =>
  new SignJWT({ jti: randomUUID(), htm: "POST", htu: resource, ath: hash(token) })
    .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk: holderJwk })
    .setIssuedAt()
    .sign(holder.privateKey);

async function start(mode) {
  const child = spawn(process.execPath, [pathOf("http-protected"), mode, iss], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [text] = await once(child.stdout, "data");
  return { child, port: Number(/^port (\d+)$/m.exec(text)[1]) };
}

/** Sends so many calls over all connections. `headersOf` returns the headers of a call, by its number and that of its connection. */
async function many(lines, count, headersOf) {
  let next = 0;
  await Promise.all(
    lines.map(async (line, i) => {
      for (let id = next++; id < count; id = next++) {
        const body = { jsonrpc: "2.0", id, method: "tools/call", params };
        const answer = await line.send(post(body, { ...modernHeaders, ...(await headersOf(id, i)) }));
        if (!answer.includes('"hello"')) throw new Error(answer);
      }
    }),
  );
}

/** Microseconds of CPU per call. */
async function cost(mode, counts, headersOf) {
  const { child, port } = await start(mode);
  const lines = Array.from({ length: connections }, () => new Line(port));
  await many(lines, counts.warm, headersOf);
  const before = cpuOf(child.pid);
  await many(lines, counts.measured, headersOf);
  const result = (cpuOf(child.pid) - before) / counts.measured;
  await end(child, lines);
  return result;
}

async function end(child, lines) {
  for (const line of lines) line.close();
  child.kill();
  await once(child, "close");
}

/** Megabytes after each token was used once, and after they were all used several times more. */
async function memory() {
  const { child, port } = await start("protected");
  const lines = Array.from({ length: connections }, () => new Line(port));
  const all = [];
  for (let i = 0; i < tokens; i += 500)
    all.push(...(await Promise.all(Array.from({ length: 500 }, (_, n) => tokenOf(`user-${i + n}`)))));
  const headersOf = (id) => ({ authorization: `Bearer ${all[id % tokens]}` });
  const figures = [];
  for (let pass = 0; pass < 8; pass++) {
    await many(lines, tokens, headersOf);
    figures.push(memoryOf(child.pid));
  }
  await end(child, lines);
  return figures;
}

const own = await Promise.all(Array.from({ length: connections }, (_, i) => tokenOf(`user-${i}`)));
const bound = await Promise.all(
  Array.from({ length: connections }, (_, i) => tokenOf(`user-${i}`, { jkt: thumbprint })),
);
const dpopProofs = await Promise.all(
  Array.from({ length: proofs.warm + proofs.measured }, (_, i) => proofFor(bound[i % connections])),
);

const open = [];
const bearer = [];
for (let round = 0; round < rounds; round++) {
  open.push(await cost("open", { warm, measured }, () => ({})));
  bearer.push(await cost("protected", { warm, measured }, (_, i) => ({ authorization: `Bearer ${own[i]}` })));
}
let proof = 0;
const dpop = await cost("dpop", proofs, () => {
  const at = proof++;
  return { authorization: `DPoP ${bound[at % connections]}`, dpop: dpopProofs[at] };
});
const limit = median(open);
const rows = [
  ["open", `${rounds} × ${measured}`, limit, ""],
  ["with a token", `${rounds} × ${measured}`, median(bearer), above(median(bearer) / limit, budgets.cost)],
  ["with a token and a proof", `1 × ${proofs.measured}`, dpop, ""],
];
console.log(`HTTP server, echo tools/call of ${modern}, ${connections} connections`);
table(
  ["server", "calls measured", "µs of CPU per call", "of the open one", ""],
  rows.map(([name, calls, value, note]) => [
    name,
    calls,
    value.toFixed(1),
    `${(value / limit).toFixed(2)} ×`,
    note,
  ]),
);
const held = await memory();
console.log(`\n${tokens} tokens`);
table(
  ["calls", "MB", "of the second pass", ""],
  held.map((value, pass) => [
    `${(pass + 1) * tokens}`,
    value.toFixed(0),
    `${(value / held[1]).toFixed(2)} ×`,
    pass > 1 ? above(value / held[1], budgets.memory) : "",
  ]),
);
issuer.closeAllConnections();
issuer.close();
