import { stdio } from "@mcpgen/runtime/stdio";
import { connect } from "./gen/index.js";

const server = stdio("node", ["--import", "tsx", "server.ts"]);
const client = await connect(server, {
  info: { name: "guide", version: "1.0.0" },
});

const cities = await client.complete({
  ref: { type: "ref/prompt", name: "plan_trip" },
  argument: { name: "to", value: "o" },
});
console.log(cities.completion.values);

const ref = { type: "ref/resource", uri: "map://{city}/{street}" } as const;
const city = await client.complete({
  ref,
  argument: { name: "city", value: "b" },
});
console.log(city.completion.values);

const street = await client.complete({
  ref,
  argument: { name: "street", value: "gat" },
  context: { arguments: { city: "Oslo" } },
});
console.log(street.completion);
await client.close();
