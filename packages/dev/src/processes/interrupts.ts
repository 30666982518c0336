const WATCH_MS = 250;

/**
 * Calls `stop` when this process should end: on Ctrl-C, SIGTERM, a closed terminal, when nobody reads its output any
 * more (`| head`), or when the `npm` that started it ends. The shell of npm dies of a signal without forwarding it.
 */
export function onInterrupt(stop: () => void): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, stop);
  for (const output of [process.stdout, process.stderr]) output.on('error', stop);
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, WATCH_MS);
  watch.unref();
}
