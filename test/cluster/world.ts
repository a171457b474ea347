import type { Random } from "../vectors/random.js";
import type { Evidence } from "./evidence.js";
import type { Server } from "./server.js";
import type { Balancer, Engine, Wire } from "./topology.js";

/**
 * What runs: the processes, the balancer, and the engine with the wire to it.
 */
export interface World {
  readonly server: Server;
  readonly balancer: Balancer;
  readonly engine: Engine;
  readonly wire: Wire;
}

/** One run: a world, what is found in it, and what decides. */
export interface Run {
  readonly world: World;
  readonly evidence: Evidence;
  readonly random: Random;
  /** False once the run ends. */
  isOn: boolean;
  /** True while nobody may change the resource. */
  isQuiet: boolean;
}
