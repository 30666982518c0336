import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quiet } from '../command.ts';
import { provide } from '../install/provide.ts';
import { claim } from '../processes/leftovers.ts';
import { Supervisor } from '../processes/supervisor.ts';
import { dataDirectory, removeFolder, type Place } from '../servers/home.ts';
import { freePorts } from '../stack/ports.ts';

/** The password of their superusers. */
export const PASSWORD = 'for-tests-alone';

/** What starts servers of one test: their supervisor, what they are made of, and what else to end before them. */
interface Start {
  supervisor: Supervisor;
  place: Place;
  atEnd: (() => unknown)[];
}

/** Starts servers that a test may disrupt. What is started when `start` fails is stopped again. */
export async function privateServers<T extends object>(kind: string, start: (given: Start) => Promise<T>) {
  const directory = mkdtempSync(join(realpathSync(tmpdir()), `gatehouse-test-${kind}-`));
  // Without a launcher the next test run would remove the folder as a leftover.
  const unclaim = claim(join(directory, 'run'));
  const supervisor = new Supervisor(directory, quiet.line);
  const atEnd: Start['atEnd'] = [];
  /** Kills the servers and removes their files. */
  const stop = async (): Promise<void> => {
    for (const end of atEnd) await end();
    await supervisor.stop({ abrupt: true });
    unclaim();
    removeFolder(directory);
  };
  try {
    const place = {
      binaries: await provide(quiet),
      directory: dataDirectory(directory),
      ports: await freePorts(),
      passwordOf: () => PASSWORD,
      throwAway: true,
    };
    return {
      /** Kills a server and keeps it stopped until `release`. */
      hold: (name: string) => supervisor.hold(name),
      /** Starts a stopped server. Resolves when it is ready. */
      release: (name: string) => supervisor.release(name),
      stop,
      ...(await start({ supervisor, place, atEnd })),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
