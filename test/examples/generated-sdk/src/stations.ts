interface Station {
  readonly name: string;
  readonly region: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly days: { sky: string; celsius: number }[];
  readonly alerts: {
    event: string;
    severity: "minor" | "moderate" | "severe";
  }[];
}

/**
 * What the stations report. The data is here, so that the example needs no
 * network.
 */
export const stations: readonly Station[] = [
  {
    name: "Lisbon",
    region: "PT-11",
    latitude: 38.7,
    longitude: -9.1,
    days: [
      { sky: "sun", celsius: 21.5 },
      { sky: "wind", celsius: 19 },
    ],
    alerts: [],
  },
  {
    name: "Oslo",
    region: "NO-03",
    latitude: 59.9,
    longitude: 10.8,
    days: [
      { sky: "snow", celsius: -4 },
      { sky: "clouds", celsius: -1.5 },
    ],
    alerts: [{ event: "snow", severity: "moderate" }],
  },
];
