/** Areas of commits that change nothing in the packages. */
const internal = new Set(["bench", "changelog", "docs", "readme", "release", "test"]);

/**
 * Turns the section "Unreleased" of a changelog into the section of a version, adds the subjects of commits by area, and starts
 * a new, empty section "Unreleased". A subject without an area ("area: summary") is left out. Throws if there is no such section.
 */
export function addRelease(changelog, { version, date, subjects }) {
  const [, before, body, after] = /^([^]*?)^## Unreleased\n([^]*?)(^## [^]*|$(?![^]))/m.exec(changelog) ?? [];
  if (body === undefined)
    throw new Error('CHANGELOG.md has no section "## Unreleased". Add one below the title.');
  const areas = new Map();
  for (const subject of subjects) {
    const [, names, summary] = /^([a-z][a-z-]*(?:, [a-z][a-z-]*)*): (.+)$/.exec(subject) ?? [];
    if (names === undefined || names.split(", ").every((name) => internal.has(name))) continue;
    areas.set(names, [...(areas.get(names) ?? []), escape(summary)]);
  }
  const lists = [...areas]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([area, summaries]) => `- **${area}**\n${summaries.map((line) => `  - ${line}\n`).join("")}`);
  const commits = lists.length === 0 ? "" : `### Commits\n\n${lists.join("")}\n`;
  return `${before}## Unreleased\n\n## ${version} (${date})\n${body.trimEnd()}\n\n${commits}${after}`;
}

/** Negative if version `a` is lower than `b`, positive if it is higher, by Semantic Versioning. */
export function compareVersions(a, b) {
  const [[coreA, preA], [coreB, preB]] = [a, b].map(split);
  return byNumbers(coreA, coreB) || Number(preA === "") - Number(preB === "") || byNumbers(preA, preB);
}

function split(version) {
  const [core, ...rest] = version.split("-");
  return [core, rest.join("-")];
}

function byNumbers(a, b) {
  return a.localeCompare(b, "en", { numeric: true });
}

/** Text outside of code spans that Markdown shows as it is. */
function escape(text) {
  return text
    .split(/(`[^`]*`)/)
    .map((part, i) => (i % 2 === 1 ? part : part.replaceAll(/[\\<*_[\]]/g, "\\$&")))
    .join("");
}
