import { stdio } from "@mcpgen/runtime/stdio";
import { createWeatherClient } from "./weather/index.js";
import { Client } from "./weather/protocol/index.js";

const client = await Client.connect(stdio("node", ["server.mjs"]), {
  info: { name: "planner", version: "1.0.0" },
});
const weather = createWeatherClient(client);

for (const location of ["Lisbon", "Atlantis"]) {
  const result = await weather.tools.getWeather({ location, units: "metric" });
  if (result.isError) console.log(location, "-", result.content);
  else
    console.log(
      location,
      "-",
      result.structuredContent.temperature,
      result.structuredContent.conditions,
    );
}
const { contents } = await weather.resources.station({ id: "osl" });
console.log(contents);
await client.close();
