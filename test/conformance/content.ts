import { McpError } from "@mcpgen/runtime";

/** An image of one red pixel. */
export const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/** A sound of no length. */
export const wav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

/** The error for params that mean nothing here. */
export const invalid = (message: string, data?: unknown): McpError => new McpError(-32602, message, data);

/** Lets other work go first. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
