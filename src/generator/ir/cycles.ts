/** A step on the way through a graph. */
interface Step {
  readonly name: string;
  readonly number: number;
  /** The lowest number on the way that can be reached from here. */
  low: number;
  /** The index of the next name to follow. */
  next: number;
}

/**
 * The names that can be reached from themselves. Follows each edge once, as
 * Tarjan's algorithm does, and without recursion.
 */
export function namesInCycles(
  graph: ReadonlyMap<string, readonly string[]>,
): Set<string> {
  const found = new Set<string>();
  const steps = new Map<string, Step>();
  /** The names that may still be part of one cycle. */
  const way: string[] = [];
  const closed = new Set<string>();
  const enter = (name: string): Step => {
    const number = steps.size;
    const step: Step = {
      name,
      number,
      low: number,
      next: 0,
    };
    steps.set(name, step);
    way.push(name);
    return step;
  };
  /** Ends the group of names that reach each other, of which this is the first. */
  const close = ({ name }: Step): void => {
    const group = way.splice(way.lastIndexOf(name));
    for (const one of group) {
      closed.add(one);
      if (group.length > 1) found.add(one);
    }
    if (graph.get(name)?.includes(name)) {
      found.add(name);
    }
  };
  for (const root of graph.keys()) {
    const open = steps.has(root) ? [] : [enter(root)];
    for (let step = open.at(-1); step !== undefined; step = open.at(-1)) {
      const name = graph.get(step.name)?.[step.next];
      step.next += 1;
      if (name === undefined) {
        open.pop();
        if (step.low === step.number) {
          close(step);
        }
        const before = open.at(-1);
        if (before !== undefined) {
          before.low = Math.min(before.low, step.low);
        }
        continue;
      }
      const known = steps.get(name);
      if (known === undefined) {
        open.push(enter(name));
      } else if (!closed.has(name)) {
        step.low = Math.min(step.low, known.number);
      }
    }
  }
  return found;
}
