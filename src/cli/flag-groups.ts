// The flags that several commands have.

/** Flags of every command. */
export const common = ["json", "quiet", "no-color"] as const;
/** Flags that name a server, and how to connect to it. */
export const serverFlags = [
  "url",
  "header",
  "auth",
  "issuer",
  "issuer-alias",
  "stdio",
  "env",
  "not-secret",
  "module",
  "config",
  "timeout",
  "capabilities",
] as const;
/** Flags about this client and its authorization server. */
export const clientFlags = ["client-id", "client-secret", "issuer", "redirect-uri", "resource"] as const;
export const issuerFlags = ["issuer-alias", "assume-pkce", "auth-param", "endpoint"] as const;
/** Flags about the files that a run writes. */
export const writeFlags = ["check", "dry-run", "clean", "force", "watch"] as const;
export const quietFlags = ["quiet", "no-color"] as const;
