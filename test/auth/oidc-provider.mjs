// The package oidc-provider, as an example has it installed.
const file = new URL(
  "../examples/third-party/node_modules/oidc-provider/lib/index.js",
  import.meta.url,
);
export const { errors, Provider } = await import(file.href);
