import { stations } from "../../../stations.js";
import { ToolError, type WeatherHandlers } from "../../server.js";

/** Lists the weather warnings of a region. */
export const getAlerts: WeatherHandlers["tools"]["getAlerts"] = ({
  region,
}) => {
  const station = stations.find((one) => one.region === region);
  if (station === undefined)
    throw new ToolError(`No station is in the region ${region}.`);
  return { alerts: station.alerts };
};
