import { start } from "./server.js";

/** The value of an environment variable, which may have a default. */
function variable(name: string, standard?: string): string {
  const value = process.env[name] ?? standard;
  if (value === undefined)
    throw new Error(
      `Set the environment variable ${name}; README.md says to what.`,
    );
  return value;
}

const port = Number(variable("PORT", "3000"));
const origin = variable("ORIGIN", `http://127.0.0.1:${port}`);
await start({
  origin,
  port,
  key: Buffer.from(variable("KEY"), "base64"),
  folder: variable("FOLDER", "data"),
  thirdParty: {
    issuer: variable("THIRD_PARTY"),
    clientId: variable("CLIENT_ID"),
    clientSecret: variable("CLIENT_SECRET"),
    scope: variable("SCOPE", "openid profile email"),
  },
});
console.log(`${origin}/mcp`);
