import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../repository.js";

const certificate = join(root, "test/update/localhost.cert.pem");

/** The options of a local server that speaks TLS. */
export const tls = {
  key: readFileSync(join(root, "test/update/localhost.key.pem"), "utf8"),
  cert: readFileSync(certificate, "utf8"),
};

/** The environment of a process that trusts it. */
export const trust = { NODE_EXTRA_CA_CERTS: certificate };
