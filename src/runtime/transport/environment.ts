/** What programs need to start, on either kind of system. */
const needed =
  "APPDATA COMSPEC HOME HOMEDRIVE HOMEPATH LANG LC_ALL LOCALAPPDATA LOGNAME PATH PATHEXT PROGRAMDATA PROGRAMFILES SHELL SYSTEMDRIVE SYSTEMROOT TEMP TERM TMP TMPDIR TZ USER USERNAME USERPROFILE WINDIR".split(
    " ",
  );

/** The part of this process's environment that a server gets. A variable that holds a shell function is code, and stays here. */
export function inherited(): Record<string, string | undefined> {
  const wanted = ([name, value]: [string, string | undefined]): boolean =>
    needed.includes(name.toUpperCase()) && !value?.startsWith("()");
  return Object.fromEntries(Object.entries(process.env).filter(wanted));
}
