import { measured } from "../../../stations.js";
import type { WeatherHandlers } from "../../server.js";

/** All stations that report. */
export const stations: WeatherHandlers["resources"]["stations"] = () =>
  JSON.stringify(measured.map(({ id, city }) => ({ id, city })));
