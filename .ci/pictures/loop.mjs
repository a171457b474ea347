// The way from a server to a program and back: what each command really prints,
// in a project that is made for the picture.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { picture, rect, text } from "./svg.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const [gap, lineHeight] = [28, 17];
/** Two cards in a row, and one for a phone. */
const [wide, tall] = [
  { width: 880, cardWidth: 404, columns: 55, lastColumns: 112 },
  { width: 380, cardWidth: 344, columns: 46, lastColumns: 46 },
];

/**
 * Runs the steps in a new folder inside the checkout, where programs find the
 * packages. Returns the lines of each step.
 */
async function steps() {
  mkdirSync(join(root, "node_modules/.cache"), { recursive: true });
  const folder = mkdtempSync(join(root, "node_modules/.cache/pictures-"));
  const run = (args, status = 0) => {
    const done = spawnSync(process.execPath, args, {
      cwd: folder,
      encoding: "utf8",
    });
    if (done.status !== status)
      throw new Error(`${args.join(" ")}\n${done.stdout}${done.stderr}`);
    return `${done.stdout}${done.stderr}`.trimEnd().split("\n");
  };
  const mcpgen = (args, status) =>
    run([join(root, "dist/cli.js"), ...args], status);
  const read = (path) =>
    readFileSync(join(folder, path), "utf8").trimEnd().split("\n");
  const compile = (status) =>
    run([join(root, "node_modules/typescript/bin/tsc"), "--noEmit"], status);
  const toJavaScript = (name) =>
    build({
      absWorkingDir: folder,
      entryPoints: [`${name}.ts`],
      outfile: join(folder, `${name}.mjs`),
      bundle: true,
      external: ["@mcpgen/*", "ajv*"],
      format: "esm",
      platform: "node",
      target: "node20",
      logLevel: "silent",
    });
  try {
    cpSync(new URL("project", import.meta.url), folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    mcpgen(["--version", "all", "--out", "gen", "--quiet"]);
    await toJavaScript("weather");
    const server = mcpgen(["call", "--stdio", "node weather.mjs"]);
    const pulled = mcpgen([
      "pull",
      "--stdio",
      "node weather.mjs",
      "-o",
      "weather.mcp.json",
    ]);
    const snapshot = read("weather.mcp.json");
    mcpgen(["stubs", "weather.mcp.json", "--out", "weather"]);
    const types = read("weather/types.ts");
    compile();
    await toJavaScript("call");
    const code = read("call.ts");
    const printed = run(["call.mjs"]);
    const drift = mcpgen(["check", "--live"], 1);
    mcpgen(["pull"]);
    mcpgen([]);
    return {
      server,
      pulled,
      snapshot,
      types,
      code,
      printed,
      drift,
      errors: compile(2),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The lines from the first to the last one that match. */
function between(lines, first, last) {
  const start = lines.findIndex((line) => first.test(line));
  const end = lines.findIndex((line, i) => i >= start && last.test(line));
  if (start < 0 || end < 0)
    throw new Error(`There is no ${first} … ${last} in:\n${lines.join("\n")}`);
  const part = lines.slice(start, end + 1);
  const indent = Math.min(...part.map((line) => line.search(/\S|$/)));
  return part.map((line) => line.slice(indent));
}

/**
 * The lines of a card, each with its class: a line that is too long goes on in
 * the next one.
 */
function fitted(lines, most) {
  return lines.flatMap((line) => {
    const isBad = /^ *!|error TS/.test(line);
    const kind = line.startsWith("$ ")
      ? " strong"
      : isBad
        ? " bad"
        : line.startsWith("[ ")
          ? " good"
          : "";
    return wrapped(line, most).map((part) => [part, `code${kind}`]);
  });
}

function wrapped(line, most) {
  if (line.length <= most) return [line];
  // A command goes on with an option, if it can.
  const option = line.startsWith("$ ") ? line.lastIndexOf(" -", most - 4) : -1;
  const at = option > 0 ? option : line.lastIndexOf(" ", most);
  return [line.slice(0, at), ...wrapped(`    ${line.slice(at + 1)}`, most)];
}

const heightOf = ({ lines }) => 58 + lineHeight * lines.length;

function card({ x, y, w, height, number, title, caption, lines }) {
  return [
    rect(x, y, w, height, 'rx="8" class="card"'),
    `<circle cx="${x + 22}" cy="${y + 21}" r="10" fill="var(--accent)"/>`,
    `<text x="${x + 22}" y="${y + 25}" class="middle strong" style="fill: var(--paper)">${number}</text>`,
    text(x + 40, y + 26, title, "title"),
    text(x + w - 14, y + 26, caption, "muted end"),
    rect(x + 8, y + 40, w - 16, height - 48, 'rx="5" class="inset"'),
    lines.map(([line, kind], i) =>
      text(x + 18, y + 59 + i * lineHeight, line, kind),
    ),
  ];
}

const arrow = (d, [x, y], turn) => [
  `<path d="${d}" class="path"/>`,
  `<path d="M0 0 L-8 -4.5 L-8 4.5 Z" transform="translate(${x} ${y}) rotate(${turn})" class="head"/>`,
];

/** @returns both pictures, and their text alternative */
export async function drawLoop() {
  const { server, pulled, snapshot, types, code, printed, drift, errors } =
    await steps();
  const cards = [
    {
      title: "A server",
      caption: "somebody else's, or yours",
      lines: [
        '$ npx mcpgen call --stdio "node weather.mjs"',
        ...server.filter((line) => !line.startsWith("starting")),
      ],
    },
    {
      title: "pull",
      caption: "asks it what it offers",
      lines: [
        '$ npx mcpgen pull --stdio "node weather.mjs" -o weather.mcp.json',
        ...pulled.filter((line) => /written/.test(line)),
      ],
    },
    {
      title: "Its snapshot",
      caption: "a file beside your code",
      lines: [
        ...between(snapshot, /"inputSchema"/, /"type"/),
        "…",
        ...between(snapshot, /"required"/, /"required"/),
      ],
    },
    {
      title: "stubs",
      caption: "writes its typed client",
      lines: [
        "$ npx mcpgen stubs weather.mcp.json --out weather",
        ...between(types, /^\/\*\* The arguments/, /^}/),
      ],
    },
    {
      title: "Your code",
      caption: "your editor knows the tools",
      lines: [...between(code, /const city/, /console/), ...printed],
    },
    {
      title: "check --live",
      caption: "CI says when the server has changed",
      short: "CI says what has changed",
      lines: [
        "$ npx mcpgen check --live",
        ...between(drift, /the server differs/, /differs/),
        "…",
      ].concat(between(drift, /! input\.city/, /! input\.place/)),
    },
    {
      title: "Pull again",
      caption: "the compiler names each line of your program that must change",
      short: "the compiler names your lines",
      lines: ["$ npx mcpgen pull && npx mcpgen && npx tsc --noEmit", ...errors],
    },
  ];
  const description = [
    "A loop of seven steps with what each command prints.",
    ...cards.map(({ title, caption }, i) => `${i + 1}: ${title}, ${caption}.`),
    "After the last step the loop begins again at pull.",
  ].join(" ");
  const title = "From a server to your code, and back";
  const [svg, tallSvg] = [inTwoColumns(cards), inOneColumn(cards)].map(
    ({ parts, ...size }) => picture({ ...size, title, description }, parts),
  );
  return { svg, tall: tallSvg, description };
}

/** The way back from the last card to the second one, at the right of both. */
const wayBack = (edge, from, to) => {
  const back = edge + 20;
  return arrow(
    `M${edge} ${from} H${back - 8} Q${back} ${from} ${back} ${from - 8} V${to + 8} Q${back} ${to} ${back - 8} ${to} H${edge + 6}`,
    [edge + 1, to],
    180,
  );
};

/** For a phone: each card below the one before it. */
function inOneColumn(all) {
  const { width, cardWidth: w, columns } = tall;
  const [x, parts, middles] = [8, [], []];
  let y = 8;
  for (const [i, { short, ...one }] of all.entries()) {
    const lines = fitted(one.lines, columns);
    const caption = short ?? one.caption;
    const height = heightOf({ lines });
    parts.push(
      card({ ...one, caption, lines, x, y, w, height, number: i + 1 }),
    );
    middles.push(y + height / 2);
    y += height + gap;
    if (i < all.length - 1)
      parts.push(
        arrow(`M${x + w / 2} ${y - gap} V${y - 6}`, [x + w / 2, y - 1], 90),
      );
  }
  parts.push(wayBack(x + w, middles.at(-1), middles[1]));
  return { width, height: y - gap + 8, parts };
}

function inTwoColumns(all) {
  const { width, cardWidth, columns, lastColumns } = wide;
  const fittedIn = (one, most) => ({ ...one, lines: fitted(one.lines, most) });
  const cards = all.slice(0, -1).map((one) => fittedIn(one, columns));
  const last = fittedIn(all.at(-1), lastColumns);
  const parts = [];
  const rows = [0, 2, 4].map((i) => cards.slice(i, i + 2));
  const [left, right] = [8, 8 + cardWidth + gap];
  const [middleLeft, middleRight, edge] = [
    left + cardWidth / 2,
    right + cardWidth / 2,
    right + cardWidth,
  ];
  let y = 8;
  let pullsAt;
  for (const [i, row] of rows.entries()) {
    const height = Math.max(...row.map(heightOf));
    for (const [j, one] of row.entries())
      parts.push(
        card({
          ...one,
          x: [left, right][j],
          y,
          w: cardWidth,
          height,
          number: 2 * i + j + 1,
        }),
      );
    const middle = y + height / 2;
    pullsAt ??= middle;
    parts.push(
      arrow(
        `M${left + cardWidth} ${middle} H${right - 6}`,
        [right - 1, middle],
        0,
      ),
    );
    const next = y + height + gap;
    const turn = y + height + gap / 2;
    if (i < 2)
      parts.push(
        arrow(
          `M${middleRight} ${y + height} V${turn} H${middleLeft} V${next - 6}`,
          [middleLeft, next - 1],
          90,
        ),
      );
    else
      parts.push(
        arrow(
          `M${middleRight} ${y + height} V${next - 6}`,
          [middleRight, next - 1],
          90,
        ),
      );
    y = next;
  }
  const height = heightOf(last);
  const w = 2 * cardWidth + gap;
  parts.push(card({ ...last, x: left, y, w, height, number: 7 }));
  parts.push(wayBack(edge, y + height / 2, pullsAt));
  return { width, height: y + height + 8, parts };
}
