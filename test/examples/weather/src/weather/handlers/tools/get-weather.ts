import { measured } from "../../../stations.js";
import { ToolError, type WeatherHandlers } from "../../server.js";

/**
 * Current weather
 *
 * Tells the weather of a place as it is now.
 */
export const getWeather: WeatherHandlers["tools"]["getWeather"] = ({
  location,
  units = "metric",
}) => {
  const place = location.split(",")[0]?.trim().toLowerCase();
  const station = measured.find(({ city }) => city.toLowerCase() === place);
  if (station === undefined)
    throw new ToolError(`No station reports from ${location}.`);
  const { celsius, humidity, conditions } = station;
  return {
    temperature: units === "metric" ? celsius : celsius * 1.8 + 32,
    humidity,
    conditions,
  };
};
