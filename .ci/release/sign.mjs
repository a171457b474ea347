import { hostAndPath } from "./names.mjs";

/**
 * What only a person can do before and after a version is published, and why.
 * `.github/maintaining.md` says how.
 */
export function toSign({ version, repository, states, isPrepared }) {
  const place = hostAndPath(repository.url);
  const isFirst = states.some(({ versions = [] }) =>
    versions.every((one) => one === "0.0.0"),
  );
  return [
    ...states.map(nameOf),
    ...(isFirst
      ? [
          "names: the scope @mcpgen is an organisation of yours on the registry. Nobody can ask the registry for this.",
          `names: the repository ${place} is yours. The provenance names it.`,
          "tokens: publish.yml with its environment release is the trusted publisher of each package, and the token of the placeholders is revoked. No other token is needed.",
        ]
      : []),
    "two maintainers: both own the names and the repository, with two factors, and both are reviewers of the environment release.",
    isPrepared
      ? `the tag v${version}, by git push --follow-tags: a maintainer pushes it, and the other one approves the workflow publish.`
      : `the tag v${version}, by npm run release -- ${version} and git push --follow-tags: a maintainer pushes it, and the other one approves the workflow publish.`,
    ...(isFirst && version.includes("-")
      ? [
          "the tag latest of each package, moved from the placeholder to the release candidate.",
        ]
      : []),
  ];
}

function nameOf({ name, state, reason, maintainers = [] }) {
  if (state === "free")
    return `names: ${name} is free. Reserve it with a placeholder 0.0.0.`;
  if (state === "ours")
    return `names: ${name} may be published by ${maintainers.join(", ")}. Are these you?`;
  return `names: ${name} was not checked (${reason}). Ask the registry: npm view ${name} maintainers.`;
}
