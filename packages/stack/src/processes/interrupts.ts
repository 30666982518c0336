const WATCH_MS = 250;

/**
 * Calls `stop` when someone wants this process to end: by Ctrl-C, SIGTERM, a closed terminal, or by ending the
 * `npm` that started it, whose shell dies of the signal without passing it on.
 */
export function onInterrupt(stop: () => void): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, stop);
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, WATCH_MS);
  watch.unref();
}
