// An authorization server to try the example with. It lets everybody in and
// forgets everything when it ends.
import { Provider } from "oidc-provider";

const {
  ISSUER = "http://127.0.0.1:4000",
  RESOURCE = "http://127.0.0.1:3000/mcp",
} = process.env;

const provider = new Provider(ISSUER, {
  pkce: { required: () => true },
  cookies: { keys: ["an example"] },
  issueRefreshToken: (_context, client) =>
    Promise.resolve(client.grantTypeAllowed("refresh_token")),
  rotateRefreshToken: true,
  features: {
    // Pages that take any name and password.
    devInteractions: { enabled: true },
    registration: { enabled: true },
    revocation: { enabled: true },
    // Tokens for the MCP server are JWTs, so that it can verify them by itself.
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo(_context, resource) {
        if (resource !== RESOURCE)
          throw new Error(`There is no resource ${resource} here.`);
        return {
          scope: "notes:read notes:write",
          audience: RESOURCE,
          accessTokenFormat: "jwt",
          accessTokenTTL: 600,
        };
      },
      useGrantedResource: () => true,
    },
  },
});
const { hostname, port } = new URL(ISSUER);
provider.listen(Number(port), hostname, () => console.log(ISSUER));
