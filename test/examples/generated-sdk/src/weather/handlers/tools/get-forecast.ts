import { stations } from "../../../stations.js";
import { ToolError, type WeatherHandlers } from "../../server.js";

/** Forecasts the weather at a place. */
export const getForecast: WeatherHandlers["tools"]["getForecast"] = ({
  latitude,
  longitude,
}) => {
  const distance = (one: { latitude: number; longitude: number }): number =>
    Math.hypot(one.latitude - latitude, one.longitude - longitude);
  const nearest = [...stations].sort((a, b) => distance(a) - distance(b))[0];
  if (nearest === undefined || distance(nearest) > 5)
    throw new ToolError("No station is near this place.");
  return { station: nearest.name, days: nearest.days };
};
