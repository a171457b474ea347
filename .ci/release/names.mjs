import { run } from "./program.mjs";

/**
 * What the registry of npm's settings says of the name of a package: free,
 * ours, or not checked, with the reason. Ours is a name whose newest version
 * has our repository. Throws if it belongs to another.
 */
export async function nameState({ name, repository }) {
  // One try, because a registry that does not answer is a state and no fault.
  const args = [
    "view",
    name,
    "--json",
    "--fetch-retries=0",
    "--fetch-timeout=20000",
  ];
  let found;
  try {
    const { stdout } = await run("npm", args, { cwd: import.meta.dirname });
    found = JSON.parse(stdout);
  } catch (error) {
    const code = codeIn(error.cause?.stdout ?? "");
    if (code === "E404") return { name, state: "free" };
    return { name, state: "not checked", reason: code };
  }
  const { versions, maintainers = [], repository: other } = found;
  if (hostAndPath(other?.url ?? "") !== hostAndPath(repository.url)) {
    const owners = maintainers
      .map((one) => String(one).split(" ")[0])
      .join(", ");
    throw new Error(
      `The name ${name} belongs to another: the registry has it with the repository ${other?.url ?? "of nobody"}, and ${owners || "nobody"} may publish it. Take it over, or choose another name in its package.json.`,
    );
  }
  return {
    name,
    state: "ours",
    versions: [versions].flat(),
    maintainers: [maintainers].flat(),
  };
}

/**
 * The states of all names fit the version and the way in which the pages
 * install. Returns a sentence, or throws one.
 */
export function checkNames(states, { version, isPrepared, installsBy }) {
  const has = (test) => states.some(({ versions = [] }) => versions.some(test));
  if (states.every(({ versions = [] }) => versions.includes(version)))
    throw new Error(
      `All packages have the version ${version} on the registry already. Run npm run release with a higher version.`,
    );
  const isReleased = has((one) => one !== "0.0.0");
  if (installsBy !== "name" && (isReleased || isPrepared))
    throw new Error(
      `installsBy in .ci/release/pages.mjs is ${JSON.stringify(installsBy)}, but ${isReleased ? "the packages are on the registry" : `${version} is prepared`}. Write "name", and the pages as its test says.`,
    );
  const isChecked = states.every(({ state }) => state !== "not checked");
  if (installsBy === "name" && isChecked && !isReleased && !isPrepared)
    throw new Error(
      'installsBy in .ci/release/pages.mjs is "name", but the packages are not on the registry. Write "clone", and the pages as its test says.',
    );
  const told = states.map(({ name, state }) => `${name} is ${state}`);
  return `On the registry: ${told.join(", ")}.`;
}

/** The code in what `npm view --json` prints when it fails. */
function codeIn(stdout) {
  try {
    return JSON.parse(stdout).error.code;
  } catch {
    return "no answer";
  }
}

/** `github.com/mcpgen/mcpgen` of a URL by HTTPS or SSH. */
export function hostAndPath(url) {
  return url
    .replace(/^(git\+)?[a-z]+:\/\/|^(?=\w+@)/, "")
    .replace(/^[^@/]*@/, "")
    .replace(":", "/")
    .replace(/(\.git)?\/*$/, "");
}
