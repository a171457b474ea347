import type { Revocation } from "../auth/index.js";
import type { Diagnostic } from "../diagnostics.js";
import type { PlannedFile } from "../emit/write.js";
import type { Audience, Comparison, Difference } from "../ir/change/model.js";
import type { AcknowledgedRow } from "../ir/snapshot/diff/index.js";
import type { JsonRecord } from "../ir/json.js";
import type { Snapshot } from "../ir/snapshot/model.js";
import type { Cost } from "../lint/lint.js";
import type { Staleness } from "./commands/check/staleness.js";
import type { Impact } from "../impact/index.js";
import type { Pin } from "../inputs/lock.js";
import type { StoredGrant } from "../auth/login.js";
import type { UpdateResult } from "../update/pins.js";
import type { ExitCode } from "./command-error.js";
import type { WriteOptions } from "./options.js";

/** The result of a command as plain data; `print.ts` prints it as text or JSON. */
export type Report =
  | FilesReport
  | FailedReport
  | SnapshotOnlyReport
  | JobsReport
  | PullReport
  | PullsReport
  | JobCheckReport
  | CheckReport
  | RevisionsReport
  | UpdateReport
  | LoginReport
  | LoginsReport
  | LogoutReport
  | CallReport
  | ToolsReport
  | LintReport
  | MigrateReport
  | TextReport;

interface Common {
  readonly exitCode: ExitCode;
  readonly diagnostics: readonly Diagnostic[];
  /** What the user can do next, as whole lines; empty for nothing. */
  readonly advice: string;
}

/** One directory of generated files: written, compared or planned. */
export interface FilesReport extends Common {
  readonly kind: "files";
  /** The path as the user wrote it. */
  readonly out: string;
  readonly mode: WriteOptions["mode"];
  readonly revisions: readonly string[];
  readonly files: readonly FileReport[];
  /** With `--check`: the stale files, for their diffs. */
  readonly stale: readonly PlannedFile[];
}

export interface FileReport {
  /** Relative to `out`, with forward slashes. */
  readonly path: string;
  /**
   * What was done: "written", "unchanged", "removed", "leftover" (of an earlier run, still present). With `--check` and
   * `--dry-run`, how the disk differs from the generated files: "new", "outdated", "reformatted", "edited", "foreign".
   */
  readonly state: string;
  readonly bytes: number;
}

/** One job of several that ended with an error. */
export interface FailedReport extends Common {
  readonly kind: "failed";
  readonly out: string;
}

/** A server of a configuration from which nothing is generated. */
export interface SnapshotOnlyReport extends Common {
  readonly kind: "snapshot only";
  readonly snapshot: string;
}

/** All jobs of a configuration; each was reported when it ended. */
export interface JobsReport extends Common {
  readonly kind: "jobs";
  /** The configuration file. */
  readonly config: string;
  readonly jobs: readonly (FilesReport | FailedReport | SnapshotOnlyReport)[];
}

/** One snapshot. */
export interface PullReport extends Common {
  readonly kind: "pull";
  readonly out: string;
  readonly state: "unchanged" | "stale" | "written";
  readonly bytes: number;
  readonly revision: string;
  readonly tools: number;
  readonly prompts: number;
  readonly resources: number;
  readonly resourceTemplates: number;
}

/** The snapshots of the servers of a configuration, or of named ones; each was reported when it was taken. */
export interface PullsReport extends Common {
  readonly kind: "pulls";
  /** Null without a configuration. */
  readonly config: string | null;
  readonly servers: readonly (PullReport | FailedReport)[];
}

/** The result of checking one job. */
export interface JobCheck {
  readonly out: string | null;
  readonly snapshot: string | null;
  /** Null if nothing is generated from the server. */
  readonly output: Staleness | null;
  /** Null without `--live`, and for a server without a source. */
  readonly drift: LiveDrift | null;
  /** Notes and warnings. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The differences between a server and its snapshot. */
export interface LiveDrift {
  /** Differences that are not accepted. */
  readonly comparison: Comparison;
  readonly accepted: readonly Difference[];
  /** Accepted differences that no longer exist. */
  readonly idle: readonly AcknowledgedRow[];
  /** The side whose breaking changes count: callers, unless only a server is generated. */
  readonly audience: Audience;
}

/** One job of `mcpgen check`. */
export interface JobCheckReport extends Common {
  readonly kind: "job check";
  /** `diagnostics` are the notes and warnings in `check`. */
  readonly check: JobCheck;
  /** The errors that prevented a check. */
  readonly errors: readonly Diagnostic[];
  /** The snapshot of a server that `--live` did not check, because it has no source. */
  readonly sourceless: string | null;
}

/** All jobs of `mcpgen check`; each was reported when it was checked. */
export interface CheckReport extends Common {
  readonly kind: "check";
  readonly config: string;
  readonly jobs: readonly JobCheckReport[];
  /** What the rules of `lint` cost; null if the configuration does not set it. */
  readonly cost: Cost | null;
}

/** One revision that commands know, as `mcpgen list --json` prints it. */
export interface RevisionRow {
  readonly revision: string;
  readonly latest: boolean;
  readonly opening: "initialize" | "per-request";
  readonly batches: boolean;
  readonly types: number;
  readonly requests: number;
  readonly notifications: number;
  /** The extensions that fit it, by name. */
  readonly extensions: readonly string[];
  /** Only for a pinned revision. */
  readonly pinned?: Pin;
}

export interface RevisionsReport extends Common {
  readonly kind: "revisions";
  readonly rows: readonly RevisionRow[];
}

/** Revisions that were compared with those of a source, and pinned. */
export interface UpdateReport extends Common, UpdateResult {
  readonly kind: "update";
  readonly mode: WriteOptions["mode"];
  /** The lines of the project's programs that it touches; empty without a configuration. */
  readonly impacts: readonly ProgramImpact[];
}

/** The lines of one program that an update touches. */
export interface ProgramImpact {
  /** Relative to the configuration, with forward slashes. */
  readonly tsconfig: string;
  /** False if the next run of mcpgen changes the program; true if the configuration must name another revision first. */
  readonly isMove: boolean;
  /** The folders of generated files that change, as the configuration names them, and the revisions in each. */
  readonly folders: readonly {
    readonly out: string;
    readonly from: readonly string[];
    readonly to: readonly string[];
  }[];
  /** Files are relative to the configuration. */
  readonly impact: Impact;
}

/** What a model, a provider or a person will trip over in the tools of some servers: the diagnostics. */
export interface LintReport extends Common {
  readonly kind: "lint";
  readonly cost: Cost;
}

/** Files of servers that were converted. The places that are left are the warnings. */
export interface MigrateReport extends Common {
  readonly kind: "migrate";
  readonly mode: "write" | "dry-run";
  readonly files: readonly {
    /** As the user wrote it. */
    readonly path: string;
    readonly state: "written" | "unchanged" | "outdated";
    /** The number of rows and handlers that were converted. */
    readonly rows: number;
    /** The number of places that are left. */
    readonly places: number;
    readonly before: string;
    readonly text: string;
  }[];
}

/** A sign-in. */
export interface LoginReport extends Common {
  readonly kind: "login";
  readonly server: string;
  /** The folder of the tokens. */
  readonly folder: string;
  /** False if the server required no token. */
  readonly isNeeded: boolean;
  readonly grant: StoredGrant | null;
}

/** The servers with a stored token. */
export interface LoginsReport extends Common {
  readonly kind: "logins";
  readonly grants: readonly StoredGrant[];
}

export interface LogoutReport extends Common {
  readonly kind: "logout";
  readonly server: string;
  /** False if there was no token to remove. */
  readonly wasSignedIn: boolean;
  /** What became of each token at the authorization server; empty if an error is among the diagnostics. */
  readonly revocations: readonly Revocation[];
}

/** The result of a tool. */
export interface CallReport extends Common {
  readonly kind: "call";
  /** As the server sent it, without the secrets of the connection. */
  readonly result: JsonRecord;
  /** With `--output`: the files that were written. */
  readonly written?: readonly { readonly path: string; readonly bytes: number }[];
  /** With `--output`: the part of the result that is in no file; null for none. */
  readonly rest?: JsonRecord | null;
}

/** The tools of a server. */
export interface ToolsReport extends Common {
  readonly kind: "tools";
  /** As the server lists them. */
  readonly tools: readonly JsonRecord[];
  readonly snapshot: Snapshot;
}

/** Data for the standard output, without control characters. */
export interface TextReport extends Common {
  readonly kind: "text";
  readonly text: string;
}

/** The exit code of several jobs: an error comes before an unreachable server, and that before a difference. */
export function worstExitCode(codes: readonly ExitCode[]): ExitCode {
  const order: readonly ExitCode[] = [130, 2, 3, 1];
  return order.find((code) => codes.includes(code)) ?? 0;
}
