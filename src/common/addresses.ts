/**
 * True if a host, in the form of a `URL` or of `server.listen`, is this
 * machine.
 */
export const isLoopback = (host: string): boolean =>
  /^((.+\.)?localhost\.?|127\.\d+\.\d+\.\d+|\[?::1\]?|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]+\])$/.test(
    host,
  );
