import type { WeatherHandlers } from "../../server.js";

/** Sends a warning to everybody who watches a region. */
export const warn: WeatherHandlers["tools"]["warn"] = (
  { level, region },
  context,
) => {
  const codes = [region.code, ...(region.parts ?? []).map(({ code }) => code)];
  for (const [done, code] of codes.entries()) {
    context.progress(done + 1, codes.length, code);
  }
  return `Warned ${codes.join(", ")} at level ${level}.`;
};
