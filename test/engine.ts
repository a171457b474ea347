/**
 * Flags for a program of a test that ends after a second: compiling what is hot
 * while it runs costs such a program as much as its own work. They change what
 * the engine compiles when, and nothing that a program does. Node 20 alone
 * knows them.
 */
export const shortLived: readonly string[] = process.versions.node.startsWith(
  "20.",
)
  ? ["--interrupt-budget=1000000", "--single-threaded-gc"]
  : [];
