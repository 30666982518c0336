import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataDirectory, removeFolder } from '../stack/data-directory.ts';
import { quiet } from '../output/progress.ts';
import { claim } from '../processes/records.ts';
import { Supervisor } from '../processes/supervisor.ts';

/** Where a test's own servers run, and what runs them. */
export interface PrivatePlace {
  supervisor: Supervisor;
  /** Where their data is. */
  directory: string;
  /** Ends them at once and removes what they left. */
  stop(): Promise<void>;
}

/** A folder for servers of this kind that one test has for itself. */
export function privatePlace(kind: string): PrivatePlace {
  const directory = mkdtempSync(join(realpathSync(tmpdir()), `gatehouse-test-${kind}-`));
  // Without a launcher it would be a leftover, for the next run of tests to clear away.
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
