/** A place on a map. */
export interface Place {
  name: string;
  /** Where it begins. */
  from: { x: number; y: number };
  /** Where it ends, unless it is a point. */
  to?: { x: number; y: number };
}

/** A place that has been looked at. */
export interface Visited extends Place {
  /** How many of how many corners were seen. */
  seen: { corners: number };
}
