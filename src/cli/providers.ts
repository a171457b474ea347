import { type Provider, providers } from "../lint/providers.js";
import { usageError } from "./command-error.js";

/** The facts about a provider, by the name that flags and configuration use. */
export function providerNamed(name: string): Provider {
  const provider = providers.find(({ id }) => id === name);
  if (provider !== undefined) return provider;
  const known = providers.map(({ id }) => id).join(", ");
  throw usageError(
    "MG702",
    `there are no rules for the provider ${JSON.stringify(name)}`,
    `the providers are ${known}`,
  );
}
