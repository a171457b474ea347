import { randomInt } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A port of this machine for a program that has to be told one. The system
 * chooses none of these ports for others, and no other test of the same run
 * gets it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    const server = createServer().listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
      await new Promise((resolve) => server.close(resolve));
      // All processes of a run have this folder for temporary files.
      writeFileSync(join(tmpdir(), `port-${port}`), "", { flag: "wx" });
      return port;
    } catch {
      // Somebody has it.
    }
  }
}
