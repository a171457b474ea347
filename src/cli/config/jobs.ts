import type { Config, ServerJob } from "../../config.js";
import type { GenerateOptions, StubsOptions, WriteOptions } from "../options.js";

/** A job of a configuration, with the options of its command. */
export type Job =
  | { readonly kind: "generate"; readonly title: string; readonly options: GenerateOptions }
  | {
      readonly kind: "server";
      readonly title: string;
      readonly server: ServerJob;
      /** Null if nothing is generated from the server. */
      readonly options: StubsOptions | null;
    };

/** The jobs of a configuration, in order. */
export function jobsOf({ generate = [], servers = [] }: Config, write: WriteOptions): Job[] {
  return [
    ...generate.map((job): Job => ({ kind: "generate", title: job.out, options: { ...job, ...write } })),
    ...servers.map((server): Job => {
      const { snapshot, source: _, out, ...project } = server;
      const options = out === undefined ? null : { ...project, ...write, out, from: snapshot };
      return { kind: "server", title: out ?? snapshot, server, options };
    }),
  ];
}
