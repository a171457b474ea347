// What a call costs in a program of code mode, beside the call of the stub: CPU
// time of this process, with the thread of the program, which calls a server of
// the guide over stdio. Both take turns. And what a run costs that does nothing,
// and how much memory its thread holds. Then for how long hostile programs hold
// the event loop of their host, beside a process that does nothing: both take
// turns.
import { fork } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { buildGuide } from "../code/guide.mjs";
import { here, inScratch, median, root, table } from "./shared.mjs";

const rounds = 15;
const calls = 2000;

/** Long enough to see how much memory the thread has. */
const idle =
  "const end = Date.now() + 200; while (Date.now() < end); return 1;";

const folder = await buildGuide();
try {
  // The programs start their servers, and find TypeScript, from here.
  process.chdir(folder);
  const load = (path) => import(pathToFileURL(join(folder, path)).href);
  const agent = await load("agent.mjs");
  const { createCode } = await load("agent/code.mjs");
  await measure(agent, createCode);
  await agent.close();
} finally {
  process.chdir("/");
  rmSync(folder, { recursive: true, force: true });
}
console.log("");
await measureHolds(await programsByAttack());

async function measure({ code, shop, mail }, createCode) {
  const { run } = createCode(
    { shop, mail },
    {
      // There is no TypeScript there: a check costs the same with any program.
      directory: "/",
      onWarning: () => {},
      limits: { calls, time: 600_000 },
    },
  );
  const complete = async (program) => {
    const result = await run(program);
    if (!result.ok) throw new Error(result.message);
  };
  const programOf = (count) =>
    `for (let i = 0; i < ${count}; i++) await shop.getOrder({ id: 1 });`;
  const steps = {
    direct: () =>
      cpuOf(async () => {
        for (let i = 0; i < calls; i++) await shop.tools.getOrder({ id: 1 });
      }),
    inProgram: () => cpuOf(() => complete(programOf(calls))),
    run: () => cpuOf(() => complete(programOf(0))),
    check: () => timeOf(() => code.check("return 1;")),
    memory: () => growthIn(() => complete(idle)),
  };
  const found = Object.fromEntries(
    Object.keys(steps).map((name) => [name, []]),
  );
  for (const step of Object.values(steps)) await step();
  for (let round = 0; round < rounds; round++) {
    const order = Object.entries(steps);
    if (round % 2 === 1) order.reverse();
    for (const [name, step] of order) found[name].push(await step());
  }
  const perCall = (times) => times.map((time) => (time / calls) * 1000);
  const less = (times, others) => times.map((time, i) => time - others[i]);
  const inProgram = less(found.inProgram, found.run);
  table(
    ["", "median", "quartiles", "unit"],
    [
      row("a call of the stub", perCall(found.direct), "µs of CPU"),
      row("the same in a program", perCall(inProgram), "µs of CPU"),
      row("more", perCall(less(inProgram, found.direct)), "µs of CPU"),
      row("a run that does nothing", found.run, "ms of CPU"),
      row("a check before it", found.check, "ms"),
      row("memory of a run", found.memory, "MB"),
    ],
  );
}

async function cpuOf(work) {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

async function timeOf(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** How much the memory of this process grows during some work, in MB. */
async function growthIn(work) {
  const memory = () => process.memoryUsage.rss() / 1024 ** 2;
  const before = memory();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, memory())), 5);
  await work();
  clearInterval(timer);
  return most - before;
}

function row(name, values, unit) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (part) => sorted[Math.floor(sorted.length * part)].toFixed(0);
  return [name, median(values).toFixed(0), `${at(0.25)}–${at(0.75)}`, unit];
}

/** The hostile programs of the tests, and one that the host is not kept from. */
async function programsByAttack() {
  const names = ["programs", "checked-programs"];
  const lists = await inScratch(async (folder) => {
    await build({
      entryPoints: names.map((name) => join(root, `test/code/${name}.ts`)),
      outdir: folder,
      outExtension: { ".js": ".mjs" },
      tsconfigRaw: {},
    });
    return await Promise.all(
      names.map(
        (name) => import(pathToFileURL(join(folder, `${name}.mjs`)).href),
      ),
    );
  });
  const all = lists
    .flatMap((list) => Object.values(list).flat())
    .map(({ attacks, program, answers }) => ({
      attacks,
      program,
      limits: { time: answers.includes("limit:time") ? 500 : 30_000 },
      directory: attacks === "the check" ? root : "/",
    }));
  const free = {
    attacks: "an argument of 3 MB, without its limit",
    program: "await files.read({ x: Array(1e6).fill({}) });",
    limits: { argument: 1e9, time: 300_000 },
    directory: "/",
  };
  const attacks = new Map();
  for (const job of [...all, free])
    attacks.set(job.attacks, [...(attacks.get(job.attacks) ?? []), job]);
  return attacks;
}

/**
 * For how long the programs of each attack hold the event loop of their host:
 * the program that holds it longest, by the median of its rounds. The time on
 * a processor is NaN where Node.js does not tell it.
 */
async function measureHolds(attacks) {
  const processes = [1, 2].map(() => fork(join(here, "held.mjs")));
  const ask = async (child, step, job) => {
    const answer = once(child, "message");
    child.send({ step, job });
    return (await answer)[0];
  };
  const both = (step) => Promise.all(processes.map((one) => ask(one, step)));
  const holdOf = async (job) => {
    const found = [];
    for (let round = 0; round < 3; round++) {
      processes.reverse();
      await both("begin");
      await ask(processes[0], "run", job);
      const [host, idle] = await both("end");
      found.push({ beyond: host.delay - idle.delay, cpu: host.cpu });
    }
    return ["beyond", "cpu"].map((name) =>
      median(found.map((one) => one[name])),
    );
  };
  const rows = [];
  for (const [attack, jobs] of attacks) {
    const holds = [];
    for (const job of jobs) holds.push(await holdOf(job));
    const most = [0, 1].map((i) => Math.max(...holds.map((hold) => hold[i])));
    rows.push([attack, jobs.length, ...most.map((time) => time.toFixed(0))]);
  }
  for (const child of processes) child.disconnect();
  table(
    ["held by", "programs", "ms beyond an idle process", "ms of CPU in a turn"],
    rows,
  );
}
