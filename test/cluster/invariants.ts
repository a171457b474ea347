import type {
  CallRecord,
  Episode,
  Evidence,
  Harm,
  TaskRecord,
  ToolRecord,
} from "./evidence.js";
import { type Fault, faults, lease } from "./faults.js";

/**
 * What became of a call, by its client and by the tool. The first three are
 * right.
 */
export type Fate =
  | "answered"
  | "begun in a killed process"
  | "sent to a killed process and not begun"
  | "run twice"
  | "answered without a run"
  | "lost";

function fateOf(
  call: CallRecord,
  ran: readonly ToolRecord[],
  harms: readonly Harm[],
): Fate {
  const [begun, second] = ran.filter(({ at }) => at === "begin");
  if (second) return "run twice";
  if (call.text !== undefined)
    return ran.some(({ at }) => at === "end")
      ? "answered"
      : "answered without a run";
  // A process that is asked to end answers what it has begun.
  if (begun)
    return harms.some(({ pid, isAsked }) => pid === begun.pid && !isAsked)
      ? "begun in a killed process"
      : "lost";
  return overlaps(call, harms)
    ? "sent to a killed process and not begun"
    : "lost";
}

const overlaps = (
  { sent, ended }: { readonly sent: number; readonly ended: number },
  times: readonly { readonly from: number; readonly until: number }[],
): boolean => times.some(({ from, until }) => from <= ended && sent <= until);

const byId = (records: readonly ToolRecord[]): Map<string, ToolRecord[]> => {
  const found = new Map<string, ToolRecord[]>();
  for (const record of records)
    found.set(record.id, [...(found.get(record.id) ?? []), record]);
  return found;
};

/** Sorts calls by what became of them. */
export function fatesOf(
  calls: readonly CallRecord[],
  records: readonly ToolRecord[],
  harms: readonly Harm[] = [],
): Readonly<Record<Fate, readonly CallRecord[]>> {
  const ran = byId(records);
  const fates: Record<Fate, CallRecord[]> = {
    answered: [],
    "begun in a killed process": [],
    "sent to a killed process and not begun": [],
    "run twice": [],
    "answered without a run": [],
    lost: [],
  };
  for (const call of calls)
    fates[fateOf(call, ran.get(call.id) ?? [], harms)].push(call);
  return fates;
}

/**
 * What a run has left of one episode, and of the whole run what happened to its
 * processes.
 */
export interface Found extends Evidence {
  readonly fault: Fault;
  readonly episode: Episode;
  /** What the tools say of the calls of the episode, by call. */
  readonly ran: ReadonlyMap<string, readonly ToolRecord[]>;
}

/** A rule, whose check returns what breaks it. */
export interface Invariant {
  readonly title: string;
  /** The faults under which it need not hold, by name, with the reason. */
  readonly except?: Readonly<Record<string, string>>;
  check(found: Found): readonly string[];
}

const show = (value: unknown): string => JSON.stringify(value);

/**
 * True if a fault harmed this at the time of a record, or just before: the
 * libraries wait up to two seconds before they connect again.
 */
const isDuring = (
  record: { readonly sent: number; readonly ended: number },
  harmed: Fault["harms"],
  { episodes }: Found,
): boolean =>
  episodes.some(
    ({ fault, from, until }) =>
      faultOf(fault).harms === harmed &&
      overlaps(record, [{ from, until: until + 3000 }]),
  );

/**
 * True for a task that was asked for in an episode whose fault may have made
 * the engine forget what became of it. Its end may be another one then, but
 * after a while all processes tell the same.
 */
const mayBeForgotten = (
  { sent, ended }: TaskRecord,
  { episodes }: Found,
): boolean =>
  episodes.some(({ fault, begin, from, until }) => {
    const { forgets = 0 } = faultOf(fault);
    return (
      forgets > 0 && sent >= from - forgets && sent <= until && ended >= begin
    );
  });

/**
 * When the engine was last harmed before a time. Only a whole lease later can a
 * process judge that another one is dead.
 */
const engineReturn = (time: number, { episodes }: Found): number =>
  Math.max(
    0,
    ...episodes
      .filter(
        ({ fault, from }) => faultOf(fault).harms === "engine" && from <= time,
      )
      .map(({ until }) => until),
  );

const faultOf = (name: string): Fault => {
  const fault = faults.find((one) => one.name === name);
  if (!fault) throw new Error(`There is no fault "${name}".`);
  return fault;
};

export const invariants: readonly Invariant[] = [
  {
    title: "answer each call at most once, with its own result",
    check: ({ calls, ran, harms }) => {
      const fates = fatesOf(calls, [...ran.values()].flat(), harms);
      const crossed = calls.filter(({ id, principal, tool, text }) => {
        if (text === undefined) return false;
        const result = JSON.parse(text) as Record<string, unknown>;
        return (
          result["id"] !== id ||
          result["principal"] !== principal ||
          (tool === "ask" && result["answer"] !== id)
        );
      });
      return [
        ...fates["run twice"],
        ...fates["answered without a run"],
        ...crossed,
      ].map(show);
    },
  },
  {
    title: "lose no plain call that was not in a process that was harmed",
    check(found) {
      const { calls, ran, harms } = found;
      const plain = calls.filter(
        ({ tool }) => tool === "bump" || tool === "score",
      );
      return fatesOf(plain, [...ran.values()].flat(), harms)
        .lost.filter(
          (call) =>
            ran.get(call.id)?.length || !isDuring(call, "connections", found),
        )
        .map((call) => show({ ...call, ran: ran.get(call.id) }));
    },
  },
  {
    title: "fail a question to the client only while something was harmed",
    except: {
      "the clock of a process goes ten minutes ahead":
        "the state of a call of 2026-07-28 lasts ten minutes",
    },
    check: (found) =>
      found.calls
        .filter(({ tool, error }) => tool === "ask" && error !== undefined)
        .filter((call) => !overlaps(call, found.harms))
        .filter(
          (call) =>
            !isDuring(call, "engine", found) &&
            !isDuring(call, "connections", found),
        )
        .map(show),
  },
  {
    title: "end everything in time",
    check(found) {
      const { calls, streams, tasks, fault, harms } = found;
      // A stream that breaks is resumed until its client reaches the process
      // that writes it, by chance. The next fault may break it too.
      const isBroken =
        fault.harms === "process" || fault.harms === "connections";
      const limitOf = (
        call: Pick<CallRecord, "sent" | "ended"> & Partial<CallRecord>,
      ): number => {
        // The SDKs send an answer once. If it meets a process that ends, the
        // question has its own time limit.
        if (call.tool === "ask" && overlaps(call, harms)) return 65_000;
        return isBroken ||
          overlaps(call, harms) ||
          isDuring(call, "connections", found)
          ? 45_000
          : lease + 2000;
      };
      const hung = [
        ...streams
          .filter(({ outcome }) => outcome === "hung")
          .map(({ id, sent, ended }) => ({ id, sent, ended })),
        ...tasks
          .filter(({ status }) => status === "hung")
          .map(({ id, sent, ended }) => ({ id, sent, ended })),
      ];
      return [...calls, ...hung]
        .filter(
          (call) =>
            call.ended - Math.max(call.sent, engineReturn(call.ended, found)) >
            limitOf(call),
        )
        .map(show);
    },
  },
  {
    title: "send each event of a stream once, in order, and to its own client",
    check: ({ streams }) =>
      streams.flatMap(({ id, session, events }) => {
        // A response that resumes a stream may begin with the id that it
        // resumes from.
        const ids = events.flatMap(({ id, params }, i) =>
          id === undefined || (!params && id === events[i - 1]?.id) ? [] : [id],
        );
        const steps = events.flatMap(({ params }) =>
          params ? [Number(params["progress"])] : [],
        );
        const foreign = events.filter(
          ({ params }) => params && params["progressToken"] !== id,
        );
        return [
          ...(new Set(ids).size === ids.length
            ? []
            : [`${id} of ${session}: an id comes twice in ${ids.join()}`]),
          ...(steps.every((step, i) => i === 0 || step > (steps[i - 1] ?? 0))
            ? []
            : [`${id}: ${steps.join()}`]),
          ...foreign.map((event) => `${id} gets ${show(event)}`),
        ];
      }),
  },
  {
    title: "know each live session, and no ended or foreign one",
    check: ({ sessions }) =>
      sessions
        .filter(({ is, status }) => {
          if (is === "live") return status !== 200;
          return status !== 404;
        })
        .map(show),
  },
  {
    title: "give each task one end, which all processes tell",
    check: (found) =>
      found.tasks
        .filter((task) => {
          const { status, told } = task;
          const isForgotten = mayBeForgotten(task, found);
          // A client that waited too long for the end learns of it later.
          const end = status === "hung" || isForgotten ? told[0] : status;
          return (
            (end === "unknown" && !isForgotten) ||
            end === "working" ||
            told.some((one) => one !== end)
          );
        })
        .map(({ id, sent, ended, status, told }) =>
          show({ id, sent, ended, status, told }),
        ),
  },
  {
    title: "run the work of a task at most once, unless its author allows more",
    check: ({ tasks, ran }) =>
      tasks
        .filter(
          ({ tool, id }) =>
            tool === "work" &&
            (ran.get(id) ?? []).filter(({ at }) => at === "begin").length > 1,
        )
        .map(({ id }) => show(ran.get(id))),
  },
  {
    title:
      "do each step of a completed task once, unless the process was harmed in it",
    check: ({ tasks, ran, harms }) =>
      tasks
        .filter(
          ({ tool, status }) => tool === "steps" && status === "completed",
        )
        .flatMap(({ id }) => {
          const all = ran.get(id) ?? [];
          const counts = [1, 2, 3].map((step) => {
            const done = all.filter(({ at }) => at === `step ${step}`);
            // A process that was harmed may have done the step without a trace,
            // or do it once more when it continues.
            const unharmed = done.filter(
              ({ pid }) => !harms.some((harm) => harm.pid === pid),
            );
            return unharmed.length === 0
              ? Math.min(done.length, 1)
              : unharmed.length;
          });
          return counts.every((count) => count === 1) ? [] : [show(all)];
        }),
  },
  {
    title: "tell each listener of the last change",
    check: ({ listeners }) =>
      listeners.filter(({ known, truth }) => known !== truth).map(show),
  },
  {
    title: "accept a proof once",
    except: { "the engine is wiped": "spent proofs are forgotten" },
    check: ({ proofs }) => [
      ...proofs.filter(({ accepted }) => accepted > 1).map(show),
      ...(proofs.some(({ accepted }) => accepted === 1)
        ? []
        : ["No proof was accepted."]),
    ],
  },
];

/** What each episode of a run has left, by the name of its fault. */
export function foundIn(
  evidence: Evidence,
  records: readonly ToolRecord[],
): ReadonlyMap<string, Found> {
  const all = byId(records);
  return new Map(
    evidence.episodes.map((episode) => {
      const fault = faultOf(episode.fault);
      const within = ({ sent }: { readonly sent: number }): boolean =>
        sent >= episode.begin && sent < episode.end;
      const at = (record: { readonly at: number }): boolean =>
        record.at >= episode.begin && record.at < episode.end;
      const calls = evidence.calls.filter(within);
      const tasks = evidence.tasks.filter(within);
      const streams = evidence.streams.filter(within);
      const ids = [...calls, ...tasks, ...streams].map(({ id }) => id);
      return [
        fault.name,
        {
          fault,
          episode,
          ran: new Map(ids.map((id) => [id, all.get(id) ?? []])),
          calls,
          tasks,
          streams,
          listeners: evidence.listeners.filter(at),
          sessions: evidence.sessions.filter(at),
          proofs: evidence.proofs.filter(at),
          harms: evidence.harms,
          episodes: evidence.episodes,
        },
      ];
    }),
  );
}

/** How often everything happened in a run. */
export function figuresOf(
  { calls, streams, tasks, harms, episodes }: Evidence,
  records: readonly ToolRecord[],
) {
  const fates = Object.entries(fatesOf(calls, records, harms)).map(
    ([fate, { length }]) => [fate, length],
  );
  const begun = byId(records.filter(({ at }) => at === "begin"));
  return {
    calls: Object.fromEntries(fates) as Readonly<Record<Fate, number>>,
    streams: countsOf(streams.map(({ outcome }) => outcome)),
    tasks: countsOf(tasks.map(({ status }) => status)),
    tasksRunAgain: tasks.filter(
      ({ id, status }) =>
        status === "completed" && (begun.get(id)?.length ?? 0) > 1,
    ).length,
    harmed: harms.length,
    order: episodes.map(({ fault }) => fault),
  };
}

const countsOf = (
  names: readonly string[],
): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
};
