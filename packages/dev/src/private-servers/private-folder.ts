import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataDirectory, removeFolder } from '../servers/home.ts';
import { quiet } from '../command.ts';
import { claim } from '../processes/leftovers.ts';
import { Supervisor } from '../processes/supervisor.ts';

/** A folder and a supervisor for the servers of one test. */
export interface PrivateFolder {
  supervisor: Supervisor;
  /** The folder of their data. */
  directory: string;
  /** Kills the servers and removes their files. */
  stop(): Promise<void>;
}

/** Creates a folder for servers of this kind, used by one test alone. */
export function createPrivateFolder(kind: string): PrivateFolder {
  const directory = mkdtempSync(join(realpathSync(tmpdir()), `gatehouse-test-${kind}-`));
  // Without a launcher the next test run would remove the folder as a leftover.
  const release = claim(join(directory, 'run'));
  const supervisor = new Supervisor({
    records: join(directory, 'run'),
    logs: join(directory, 'logs'),
    say: quiet.line,
    changed: () => {},
  });
  return {
    supervisor,
    directory: dataDirectory(directory),
    stop: async () => {
      await supervisor.stop({ abrupt: true });
      release();
      removeFolder(directory);
    },
  };
}
