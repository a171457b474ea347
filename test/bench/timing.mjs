// Nanoseconds of CPU for one call of a function that returns yes or no.

/**
 * Microseconds that this process has computed, so that what else the machine
 * does hardly counts.
 */
function cpu() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

let loops = 0;

/**
 * A loop of its own for every guard, so that none pays for the call sites that
 * others have spoilt.
 */
async function ownLoop() {
  loops += 1;
  const text = `export default (guard, message, times) => {
    let yes = 0;
    for (let i = 0; i < times; i++) if (guard(message)) yes += 1;
    return yes;
  } // ${loops}`;
  return (await import(`data:text/javascript,${encodeURIComponent(text)}`))
    .default;
}

/**
 * A guard and a value, called until a window of so many microseconds is full.
 */
export async function entryOf(guard, message, window_) {
  const run = await ownLoop();
  // The loop is compiled before it is timed, and a short one would be timed by
  // the clock's own step.
  let times = 4096;
  run(guard, message, times);
  for (;;) {
    const start = cpu();
    run(guard, message, times);
    if (cpu() - start > window_)
      return { run, guard, message, times, measurements: [] };
    times *= 2;
  }
}

/** Nanoseconds of one call, from one window of time. */
export function measure({ run, guard, message, times }) {
  const start = cpu();
  run(guard, message, times);
  return ((cpu() - start) * 1000) / times;
}
