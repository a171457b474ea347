export interface Measured {
  readonly id: string;
  readonly city: string;
  readonly celsius: number;
  /** In per cent. */
  readonly humidity: number;
  readonly conditions: string[];
}

/** What the stations say; a real server would ask them. */
export const measured: readonly Measured[] = [
  {
    id: "lis",
    city: "Lisbon",
    celsius: 21.5,
    humidity: 64,
    conditions: ["sunny"],
  },
  {
    id: "osl",
    city: "Oslo",
    celsius: 4,
    humidity: 88,
    conditions: ["rain", "wind"],
  },
];
