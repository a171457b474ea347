/**
 * The revision of all measurements, and the one with metadata on each request.
 */
export const revision = "2025-11-25";
export const modern = "2026-07-28";

/** The one tool of every server that is measured. */
export const echo = {
  name: "echo",
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
};
export const info = { name: "bench", version: "1.0.0" };
