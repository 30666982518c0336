import { provide } from '../install/provide.ts';
import { quiet } from '../output/progress.ts';
import { freePorts } from '../servers/ports.ts';
import { postgres } from '../servers/postgres.ts';
import { createPrivateFolder } from './private-folder.ts';

/** A Postgres for one test, whose roles belong to that test too. */
export interface PrivatePostgres {
  /** As a superuser. */
  url: string;
  stop(): Promise<void>;
}

export async function privatePostgres(): Promise<PrivatePostgres> {
  const { supervisor, directory, stop } = createPrivateFolder('postgres');
  try {
    const binaries = (await provide(quiet, ['postgres'])).postgres;
    const { postgres: port } = await freePorts();
    const password = 'for-tests-alone';
    const { server, url } = await postgres({ binaries, directory, port, password, throwAway: true });
    await supervisor.start(server);
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
