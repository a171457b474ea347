import type { valkey } from "@mcpgen/runtime/cluster/valkey";

export function connectEngine(
  library: string,
  port: number,
): Promise<Parameters<typeof valkey>[0]>;
