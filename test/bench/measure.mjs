/** Nanoseconds a call, the best of several rounds: what the machine does besides only ever makes a round slower. */
export async function measure(guard, value, rounds = 15) {
  const run = await loop();
  let calls = 64;
  while (time(run, guard, value, calls) < 2e6) calls *= 2;
  let best = Infinity;
  for (let round = 0; round < rounds; round++) best = Math.min(best, time(run, guard, value, calls) / calls);
  return best;
}

let loops = 0;

/** A loop of its own for every guard, so that none pays for the call sites that others have spoilt. */
async function loop() {
  const text =
    "export default (guard, value, calls) => { let yes = 0; while (calls-- > 0) if (guard(value)) yes++; return yes; }";
  loops += 1;
  return (await import(`data:text/javascript,${encodeURIComponent(`${text} // ${loops}`)}`)).default;
}

function time(run, guard, value, calls) {
  const start = process.hrtime.bigint();
  run(guard, value, calls);
  return Number(process.hrtime.bigint() - start);
}

export function geometricMean(values) {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

/** Prints rows in columns, the first to the left and the others to the right. */
export function table(head, rows) {
  const all = [head, ...rows];
  const widths = head.map((_, i) => Math.max(...all.map((row) => row[i].length)));
  for (const row of all) {
    console.log(
      row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join("  "),
    );
  }
}
