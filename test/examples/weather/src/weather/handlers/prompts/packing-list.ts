import type { WeatherHandlers } from "../../server.js";

/** What to pack for a journey. */
export const packingList: WeatherHandlers["prompts"]["packingList"] = ({
  destination,
  days = "a few",
}) =>
  `Ask for the weather in ${destination}, and list what to pack for ${days} days there.`;
