/*
 * A legacy server that a first message other than `initialize` spoils. It answers that message with an error, and then, as its first
 * argument says, `exits`, `refuses` every further request or `hangs`. Its second argument is the revision that it speaks.
 */
import { createInterface } from "node:readline";

interface Request {
  readonly id?: number;
  readonly method: string;
}

const [, , what, revision] = process.argv;
const answer = (id: number | undefined, value: object): void =>
  void process.stdout.write(
    `${JSON.stringify({ jsonrpc: "2.0", id, ...value })}\n`,
  );
const refusal = { error: { code: -32601, message: "initialize first" } };
let isSpoiled: boolean | undefined;

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line) as Request;
  const isFirst = isSpoiled === undefined;
  isSpoiled ??= method !== "initialize";
  if (!isSpoiled) {
    const serverInfo = { name: "spoiled", version: "1" };
    if (isFirst)
      answer(id, {
        result: { protocolVersion: revision, capabilities: {}, serverInfo },
      });
  } else if (isFirst) {
    answer(id, refusal);
    if (what === "exits") process.exitCode = 1;
    if (what === "exits") process.stdin.destroy();
  } else if (what === "refuses") answer(id, refusal);
});
