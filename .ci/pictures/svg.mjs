// What both pictures share: colours for light and dark, text, and the file
// around them.

/** Pairs of colours: light, dark. */
const colours = {
  text: ["#1f2328", "#f0f6fc"],
  muted: ["#59636e", "#9198a1"],
  line: ["#d1d9e0", "#3d444d"],
  paper: ["#ffffff", "#0d1117"],
  inset: ["#f6f8fa", "#151b23"],
  accent: ["#0969da", "#4493f8"],
  bad: ["#cf222e", "#ff7b72"],
  good: ["#1a7f37", "#3fb950"],
  peer: ["#9aa4af", "#57606a"],
};
const variables = (i) =>
  Object.entries(colours)
    .map(([name, pair]) => `--${name}: ${pair[i]}`)
    .join("; ");
const style = `
  svg { ${variables(0)} }
  @media (prefers-color-scheme: dark) { svg { ${variables(1)} } }
  text { font: 12px -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; fill: var(--text); white-space: pre }
  .title { font-size: 14px; font-weight: 600 }
  .code { font: 11px ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace }
  .strong { font-weight: 600 }
  ${["muted", "accent", "bad", "good"].map((name) => `.${name} { fill: var(--${name}) }`).join(" ")}
  .end { text-anchor: end } .middle { text-anchor: middle }
  .card { fill: var(--paper); stroke: var(--line) }
  .inset { fill: var(--inset) }
  .path { fill: none; stroke: var(--muted); stroke-width: 1.5 }
  .head { fill: var(--muted) }`;

const escape = (value) =>
  value
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

/** A line of text whose letters stand on `y`. */
export const text = (x, y, value, classes = "") =>
  `<text x="${x}" y="${y}"${classes && ` class="${classes}"`}>${escape(value)}</text>`;

export const rect = (x, y, width, height, attributes) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" ${attributes}/>`;

/**
 * A file of this size. Programs that read a page aloud say its title and
 * description.
 */
export function picture({ width, height, title, description }, parts) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description">
<title id="title">${escape(title)}</title>
<desc id="description">${escape(description)}</desc>
<style>${style}
</style>
${parts.flat(Infinity).join("\n")}
</svg>
`;
}
