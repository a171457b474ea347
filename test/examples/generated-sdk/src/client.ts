import { transport } from "./transport.js";
import { connectWeather } from "./weather/connect.js";

await using weather = await connectWeather(transport(), {
  info: { name: "planner", version: "1.0.0" },
});

const forecast = await weather.tools.getForecast({
  latitude: 38.7,
  longitude: -9.1,
});
if (!forecast.isError) {
  const { station, days } = forecast.structuredContent;
  console.log(
    station,
    days.map(({ sky, celsius }) => `${sky} ${celsius} °C`).join(", "),
  );
}

for (const region of ["PT-11", "NO-03", "XX-00"]) {
  const warnings = await weather.tools.getAlerts({ region });
  if (warnings.isError) console.log(region, warnings.content);
  else console.log(region, warnings.structuredContent.alerts);
}
