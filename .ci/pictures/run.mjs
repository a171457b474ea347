// npm run pictures: draws the pictures of the main page again, and writes their
// text alternatives into it. `run.mjs --check <name>…` writes nothing, and
// fails if a committed picture is another one.
import { readFileSync, writeFileSync } from "node:fs";
import { drawFigures } from "./figures.mjs";
import { drawLoop } from "./loop.mjs";

const root = new URL("../../", import.meta.url);
const read = (path) => readFileSync(new URL(path, root), "utf8");
const draw = {
  loop: drawLoop,
  figures: () => drawFigures(JSON.parse(read("test/bench/figures.json"))),
};
const [flag, ...checked] = process.argv.slice(2);
const isCheck = flag === "--check";

for (const name of isCheck ? checked : Object.keys(draw)) {
  const { svg, tall, description } = await draw[name]();
  const path = `.github/pictures/${name}.svg`;
  const place = new RegExp(`(?<=!\\[)[^\\]]*(?=\\]\\(${path}\\))`);
  const page = read("README.md").replace(place, () => description);
  for (const [file, text] of Object.entries({
    [path]: svg,
    ...(tall && { [path.replace(".svg", "-tall.svg")]: tall }),
    "README.md": page,
  })) {
    if (!isCheck) writeFileSync(new URL(file, root), text);
    else if (read(file) !== text) {
      console.error(`${file} is not what is drawn now. Run npm run pictures.`);
      process.exitCode = 1;
    }
  }
  console.log(`${path}: ${isCheck ? "checked" : "drawn"}`);
}
