/**
 * Turns the section "Unreleased" of a changelog into the section of a version,
 * and starts a new, empty one. Where the page describes the version already, in
 * a section without a date, the rows come before the description. Throws if
 * there is no section "Unreleased".
 */
export function addRelease(changelog, { version, date }) {
  const [head, unreleased = "", ...sections] = changelog.split(/^(?=## )/m);
  if (!unreleased.startsWith("## Unreleased\n"))
    throw new Error(
      'CHANGELOG.md has no section "## Unreleased". Add one below the title.',
    );
  const described = sections[0]?.startsWith(`## ${version}\n`)
    ? [sections.shift()]
    : [];
  const parts = [unreleased, ...described].map((section) =>
    section.slice(section.indexOf("\n")),
  );
  const release = [`## ${version} (${date})`, ...parts, sections.join("")];
  const texts = [head, "## Unreleased", ...release].map((text) => text.trim());
  return `${texts.filter((text) => text !== "").join("\n\n")}\n`;
}

/**
 * Negative if version `a` is lower than `b`, positive if it is higher, by
 * Semantic Versioning.
 */
export function compareVersions(a, b) {
  const [[coreA, preA], [coreB, preB]] = [a, b].map(split);
  return (
    byNumbers(coreA, coreB) ||
    Number(preA === "") - Number(preB === "") ||
    byNumbers(preA, preB)
  );
}

function split(version) {
  const [core, ...rest] = version.split("-");
  return [core, rest.join("-")];
}

function byNumbers(a, b) {
  return a.localeCompare(b, "en", { numeric: true });
}
