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
/** Flags about a sign-in: its account, this client, and its authorization server. */
export const signInFlags = [
  "account",
  "scope",
  "client-id",
  "client-secret",
  "issuer",
  "redirect-uri",
  "resource",
  "issuer-alias",
  "assume-pkce",
  "auth-param",
  "endpoint",
  "device",
  "no-browser",
] as const;
/** Flags about the code that is generated. */
const codeFlags = ["runtime", "import-ext", "templates"] as const;
/** Flags about what is generated from a revision. */
export const generateFlags = ["version", "out", "schema", "extension", "emit", ...codeFlags] as const;
/** Flags about the project of a server. */
export const projectFlags = [
  "name",
  "include",
  "exclude",
  "emit",
  "for",
  "protocol",
  "unchecked",
  ...codeFlags,
] as const;
/** Flags about the files that a run writes. */
export const writeFlags = ["check", "dry-run", "clean", "force", "watch"] as const;
export const quietFlags = ["quiet", "no-color"] as const;
