// In place of `node:crypto`, which a browser does not have: the digest of a
// snapshot is only in `.mcpgen.json`, which the page does not make.
export const createHash = () => ({ update: () => ({ digest: () => "" }) });

/** What `src/cli/terminal.ts` has from the same module. */
export const randomUUID = () => crypto.randomUUID();
