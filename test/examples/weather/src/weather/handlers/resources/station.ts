import { McpError } from "@mcpgen/runtime";
import { measured } from "../../../stations.js";
import type { WeatherHandlers } from "../../server.js";

/** What a station has measured. */
export const station: WeatherHandlers["resources"]["station"] = ({ id }) => {
  const found = measured.find((one) => one.id === id);
  if (found === undefined)
    throw new McpError(-32002, "There is no such station.", { id });
  return JSON.stringify(found);
};
