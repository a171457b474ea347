import type { Grant } from "@mcpgen/auth";

/** A grant as a store keeps it. */
export const grant = (
  accessToken: string,
  more: Partial<Grant> = {},
): Grant => ({
  kind: "grant",
  id: "1",
  issuer: "https://as.example.com",
  clientId: "caller",
  accessToken,
  since: 0,
  scopes: ["files"],
  ...more,
});
