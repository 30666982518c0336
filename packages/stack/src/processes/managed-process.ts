import { searchPath } from '../install/binaries.ts';
import type { User } from './users.ts';

/** One process of the stack: how it is started, known to be ready, and stopped. */
export interface ManagedProcess {
  /** What lines, its log file and its record call it. */
  name: string;
  command: string;
  args: readonly string[];
  /** Its whole environment. */
  env: NodeJS.ProcessEnv;
  cwd: string;
  user?: User | undefined;
  /** Whether it can do its work; asked again and again, so it answers within a second or two. */
  isReady: () => Promise<boolean>;
  readySeconds: number;
  /** The signal that it takes as "finish and end". */
  stopSignal: NodeJS.Signals;
  /** The signal that ends it at once, where its data is thrown away. */
  abortSignal: NodeJS.Signals;
  /** A command that ends what it leaves behind. */
  afterStop?: { command: string; args: string[]; env: Record<string, string> };
}

/**
 * The environment of a private server: nothing of the caller's, whose PGDATA, RABBITMQ_NODENAME or MAILDEV_IP
 * are about other servers.
 */
export function serverEnvironment(home: string): NodeJS.ProcessEnv {
  return { PATH: searchPath(), HOME: home, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' };
}
