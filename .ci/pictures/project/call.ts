import { stdio } from "@mcpgen/runtime/stdio";
import { connectWeather } from "./weather/connect.js";

const server = stdio("node", ["weather.mjs"]);
const me = { info: { name: "caller", version: "1.0.0" } };
const city = "Oslo";
await using weather = await connectWeather(server, me);
const sun = await weather.tools.forecast({ city });
console.log(sun.content);
