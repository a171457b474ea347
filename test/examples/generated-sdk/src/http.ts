import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { handlers } from "./weather/handlers/index.js";
import { createWeatherServer } from "./weather/server.js";

const { url } = await serveHttp(
  createHttpHandler(createWeatherServer(handlers)),
  { port: 0, signals: true },
);
console.log(url);
