// Starts the server or the client of this folder:
// `node test/conformance/start.mjs server --port 3000`.
import { pathToFileURL } from "node:url";
import { bundle } from "./bundle.mjs";

const [which, ...rest] = process.argv.slice(2);
const [path] = await bundle(which);
process.argv.splice(1, process.argv.length, path, ...rest);
await import(pathToFileURL(path).href);
