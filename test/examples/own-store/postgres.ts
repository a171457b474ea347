import { setTimeout as pause } from "node:timers/promises";
import type { SharedStore } from "@mcpgen/runtime/cluster";
import type { Pool, PoolClient } from "pg";

/**
 * Two tables. Positions are given under a lock, because a reader that has seen
 * a position must not find a smaller one later: without the lock, a transaction
 * that began first may commit last.
 */
const schema = `
-- Processes that start at once would otherwise make the same tables.
select pg_advisory_xact_lock(725);
create table if not exists mcpgen_values (
  key text collate "C" primary key, value text not null, version text collate "C" not null, ends timestamptz not null
);
create table if not exists mcpgen_entries (
  position bigserial, log text collate "C" not null, value text not null, ends timestamptz not null,
  primary key (log, position)
);
create or replace function mcpgen_append(name text, entries text[], ttl float8, keep int) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(name, 0));
  insert into mcpgen_entries (log, value, ends)
    select name, entry, now() + ttl * interval '1 ms'
    from unnest(entries) with ordinality as list (entry, number) order by number;
  perform pg_notify('mcpgen', name);
  -- Now and then, remove what nobody needs.
  if random() < 0.01 then
    delete from mcpgen_entries where ends < now() or log = name and position <=
      (select position from mcpgen_entries where log = name order by position desc offset keep limit 1);
    delete from mcpgen_values where ends < now();
  end if;
end $$;
`;

/**
 * Writes unless another value is there that has neither ended nor this version.
 */
const insertIfAbsent = `
insert into mcpgen_values as old values ($1, $2, $3, now() + $4 * interval '1 ms')
on conflict (key) do update set value = excluded.value, version = excluded.version, ends = excluded.ends
where old.ends <= now() or old.version = excluded.version`;
const replace = `
update mcpgen_values set value = $2, version = $3, ends = now() + $4 * interval '1 ms'
where key = $1 and ends > now() and version in ($3, $5)`;
const write = `
insert into mcpgen_values values ($1, $2, $3, now() + $4 * interval '1 ms')
on conflict (key) do update set value = excluded.value, version = excluded.version, ends = excluded.ends`;

/**
 * The time between two looks at a log in which nothing is announced, in
 * milliseconds. It also finds a connection that has gone silent.
 */
const lookTime = 1000;

/**
 * Makes the tables, and returns a store in them. The pool is yours: give it
 * `query_timeout` and `connectionTimeoutMillis`, so that no call waits for
 * ever, and a connection for each process that follows.
 */
export async function postgresStore(pool: Pool): Promise<SharedStore> {
  // An idle connection that breaks must not end the process: the next query
  // opens another one.
  pool.on("error", () => {});
  // One transaction. A pooler may send the next one over another connection.
  await pool.query(schema);
  const get: SharedStore["get"] = async (key) => {
    const text =
      "select value, version from mcpgen_values where key = $1 and ends > now()";
    return (await pool.query(text, [key])).rows[0];
  };
  return {
    get,
    async put(key, value, { ttl, version, replaces }) {
      if (value === undefined) {
        const isAny = replaces === undefined;
        const text = `delete from mcpgen_values where key = $1 ${isAny ? "" : "and version = $2"}`;
        const { rowCount } = await pool.query(
          text,
          isAny ? [key] : [key, replaces],
        );
        return rowCount === 1 || (await get(key)) === undefined;
      }
      const values = [key, value, version, ttl];
      const { rowCount } =
        replaces === undefined
          ? await pool.query(write, values)
          : replaces === ""
            ? await pool.query(insertIfAbsent, values)
            : await pool.query(replace, [...values, replaces]);
      return rowCount === 1;
    },
    async append(log, entries, { ttl, keep }) {
      await pool.query("select mcpgen_append($1, $2, $3, $4)", [
        log,
        entries,
        ttl,
        keep,
      ]);
    },
    async follow(log, receive, lost) {
      const follower = new Follower(pool, log, receive);
      await follower.open();
      void follower.run(lost);
      return () => follower.stop();
    },
  };
}

/**
 * Reads a log over a connection of its own, on which the engine announces new
 * entries.
 */
class Follower {
  readonly #pool: Pool;
  readonly #log: string;
  readonly #receive: Parameters<SharedStore["follow"]>[1];
  #client: PoolClient | undefined;
  #position: string | undefined;
  #isStopped = false;
  /** Resolves when there is something to read, or the connection is broken. */
  #news: Promise<void> = Promise.resolve();
  #wake = (): void => {};

  constructor(
    pool: Pool,
    log: string,
    receive: Parameters<SharedStore["follow"]>[1],
  ) {
    this.#pool = pool;
    this.#log = log;
    this.#receive = receive;
  }

  async open(): Promise<void> {
    const client = await this.#pool.connect();
    this.#client = client;
    try {
      for (const event of ["error", "end"])
        client.on(event as "end", () => this.#wake());
      client.on("notification", ({ payload }) => {
        if (payload === this.#log) this.#wake();
      });
      await client.query("listen mcpgen");
      const text =
        "select coalesce(max(position), 0) as last from mcpgen_entries where log = $1";
      // A database that was restored has smaller positions.
      const { last } = (await client.query(text, [this.#log])).rows[0];
      if (this.#position === undefined || BigInt(last) < BigInt(this.#position))
        this.#position = last;
    } catch (error) {
      this.#close();
      throw error;
    }
  }

  /** Reads until it is stopped. */
  async run(lost: () => void): Promise<void> {
    for (;;) {
      try {
        await this.#read();
      } catch {
        this.#close();
        if (this.#isStopped) return;
        await pause(200);
        const isOpen = await this.open().then(
          () => true,
          () => false,
        );
        if (this.#isStopped) return this.#close();
        if (isOpen) lost();
      }
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#close();
    this.#wake();
  }

  async #read(): Promise<void> {
    if (!this.#client) throw new Error("The connection is closed.");
    this.#news = new Promise((resolve) => (this.#wake = resolve));
    const text =
      "select position, value from mcpgen_entries where log = $1 and position > $2 order by position limit 100";
    const { rows } = await this.#client.query(text, [
      this.#log,
      this.#position,
    ]);
    for (const { position, value } of rows) {
      if (this.#isStopped) return;
      this.#position = position;
      this.#receive({ position, value });
    }
    if (rows.length === 0)
      await Promise.race([
        this.#news,
        pause(lookTime, undefined, { ref: false }),
      ]);
  }

  #close(): void {
    this.#client?.release(true);
    this.#client = undefined;
  }
}
