import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quiet } from '../command.ts';
import { claim } from '../processes/leftovers.ts';
import { Supervisor } from '../processes/supervisor.ts';
import { dataDirectory, removeFolder } from '../servers/home.ts';

/** A folder and a supervisor for the servers of one test. */
export type PrivateFolder = ReturnType<typeof createPrivateFolder>;

/** Creates a folder for servers of this kind, used by one test alone. */
export function createPrivateFolder(kind: string) {
  const directory = mkdtempSync(join(realpathSync(tmpdir()), `gatehouse-test-${kind}-`));
  // Without a launcher the next test run would remove the folder as a leftover.
  const release = claim(join(directory, 'run'));
  const supervisor = new Supervisor(directory, quiet.line);
  const atEnd: (() => unknown)[] = [];
  return {
    supervisor,
    /** The folder of their data. */
    directory: dataDirectory(directory),
    /** What else to end, before the servers. */
    atEnd,
    /** Kills the servers and removes their files. */
    stop: async (): Promise<void> => {
      for (const end of atEnd) await end();
      await supervisor.stop({ abrupt: true });
      release();
      removeFolder(directory);
    },
  };
}

/** Starts servers that a test may disrupt. What is started when `start` fails is stopped again. */
export async function privateServers<T extends object>(
  kind: string,
  start: (place: PrivateFolder) => Promise<T>,
) {
  const place = createPrivateFolder(kind);
  const { supervisor, stop } = place;
  try {
    return {
      /** Kills a server and keeps it stopped until `release`. */
      hold: (name: string) => supervisor.hold(name),
      /** Starts a stopped server. Resolves when it is ready. */
      release: (name: string) => supervisor.release(name),
      stop,
      ...(await start(place)),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
