import { measured } from "../../../stations.js";
import type { WeatherHandlers } from "../../server.js";

/** What a station has measured. */
export const station: WeatherHandlers["resources"]["station"] = ({ id }) => {
  const found = measured.find((one) => one.id === id);
  return found === undefined ? undefined : JSON.stringify(found);
};
