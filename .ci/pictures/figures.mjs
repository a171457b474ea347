// What calls, bundles and starts cost, beside the official SDK: the figures
// that `npm run bench -- --json` has written.
import { picture, rect, text } from "./svg.mjs";

const [width, panelWidth, gap] = [880, 276, 26];
const barStart = 62;
const barMost = panelWidth - barStart - 62;

/**
 * What is drawn: the row of the bench, the column of its table, and the names
 * of its peers.
 */
const panels = [
  {
    title: "CPU per call",
    unit: "µs",
    groups: [
      [
        "a server over HTTP",
        "http",
        "µs of CPU per call",
        "mcpgen, stateless",
        "SDK v2, stateless",
        "SDK v1, stateless",
        "bare node:http",
      ],
      [
        "a server over stdio",
        "stdio",
        "µs of CPU per call",
        "mcpgen",
        "SDK v2",
        "SDK v1",
        "bare loop",
      ],
    ],
  },
  {
    title: "Bundle, gzipped",
    unit: "KB",
    groups: [
      [
        "a server over HTTP",
        "size",
        "and gzipped",
        "ours, HTTP server of two revisions",
        "SDK v2, HTTP server by handlers",
        "SDK v1, HTTP server by handlers",
      ],
      [
        "a client over stdio",
        "size",
        "and gzipped",
        "ours, stdio client of two revisions",
        "SDK v2, stdio client",
        "SDK v1, stdio client",
      ],
    ],
  },
  {
    title: "Start to first answer",
    unit: "ms",
    groups: [
      [
        "a server over stdio, as installed",
        "start",
        "ms",
        "mcpgen",
        "SDK v2",
        "SDK v1",
        "bare loop",
      ],
      [
        "the same, in one file",
        "start",
        "bundled, ms",
        "mcpgen",
        "SDK v2",
        "SDK v1",
        "bare loop",
      ],
    ],
  },
];

/**
 * The figure in a row and a column of the first table of a row of the bench.
 */
function figure(tables, bench, column, name) {
  for (const { head, rows } of tables[bench] ?? []) {
    const row = rows.find(([first]) => first === name);
    if (row !== undefined && head.includes(column))
      return Number(row[head.indexOf(column)]);
  }
  throw new Error(
    `The figures have no row "${name}" with "${column}": run npm run bench -- --json … ${bench}.`,
  );
}

/** Beside the longest bars, a tenth of a unit says nothing. */
const shown = (value) => (value < 100 ? value.toFixed(1) : value.toFixed(0));

/** @returns the picture, and its text alternative */
export function drawFigures({ date, command, machine, versions, tables }) {
  const parts = [];
  const said = [];
  for (const [i, { title, unit, groups }] of panels.entries()) {
    const x = i * (panelWidth + gap);
    parts.push(
      text(x, 24, title, "title"),
      text(x + panelWidth, 24, unit, "muted end"),
    );
    parts.push(rect(x, 34, panelWidth, 1, 'fill="var(--line)"'));
    for (const [j, [name, bench, column, ...peers]] of groups.entries()) {
      const [ours, second, first, limit] = peers.map((peer) =>
        figure(tables, bench, column, peer),
      );
      const most = Math.max(ours, second, first);
      const y = 58 + j * 122;
      const length = (value) =>
        Math.max(2, Math.round((value / most) * barMost));
      parts.push(text(x, y, name, "muted"));
      for (const [k, [label, value]] of Object.entries({
        mcpgen: ours,
        "SDK v2": second,
        "SDK v1": first,
      }).entries()) {
        const top = y + 10 + k * 24;
        const isOurs = k === 0;
        parts.push(
          text(
            x + barStart - 8,
            top + 13,
            label,
            isOurs ? "end strong" : "end",
          ),
        );
        parts.push(
          rect(
            x + barStart,
            top,
            length(value),
            18,
            `rx="3" fill="var(--${isOurs ? "accent" : "peer"})"`,
          ),
        );
        parts.push(
          text(
            x + barStart + length(value) + 6,
            top + 13,
            shown(value),
            isOurs ? "strong" : "",
          ),
        );
      }
      if (limit !== undefined) {
        const at = x + barStart + length(limit);
        parts.push(
          `<path d="M${at} ${y + 6} V${y + 86}" stroke="var(--text)" stroke-width="1" stroke-dasharray="2 2"/>`,
        );
        parts.push(
          text(at + 5, y + 90, `bare Node.js ${shown(limit)}`, "muted"),
        );
      }
      const bare = limit === undefined ? "" : `, bare Node.js ${shown(limit)}`;
      said.push(
        `${title}, ${name}: mcpgen ${shown(ours)} ${unit}, SDK version 2 ${shown(second)}, version 1 ${shown(first)}${bare}.`,
      );
    }
  }
  const sdks = `official SDK ${versions["@modelcontextprotocol/server"]} (v2) and ${versions["@modelcontextprotocol/sdk"]} (v1)`;
  const notes = [`${date} · ${machine} · ${sdks} · shorter is better`, command];
  parts.push(rect(0, 300, width, 1, 'fill="var(--line)"'));
  parts.push(
    text(0, 322, notes[0], "muted"),
    text(0, 342, notes[1], "code muted"),
  );
  const description = [...said, `${notes[0]}.`].join(" ");
  return {
    svg: picture(
      {
        width,
        height: 352,
        title: "mcpgen beside the official SDK",
        description,
      },
      parts,
    ),
    description,
  };
}
