import { searchPath } from '../install/binaries.ts';
import type { User } from './users.ts';

/** A process of the stack: how to start it, how to check that it is ready, and how to stop it. */
export interface ManagedProcess {
  /** The name used in output, in the log file name and in the record. */
  name: string;
  command: string;
  args: readonly string[];
  /** The complete environment. */
  env: NodeJS.ProcessEnv;
  cwd: string;
  user?: User | undefined;
  /** Whether the process can work. Called repeatedly, so it must resolve within one or two seconds. */
  isReady: () => Promise<boolean>;
  readySeconds: number;
  /** The signal that asks the process to finish its work and exit. */
  stopSignal: NodeJS.Signals;
  /** The signal that stops it immediately, without protecting its data. */
  abortSignal: NodeJS.Signals;
  /** A command that stops what the process leaves behind. */
  afterStop?: { command: string; args: string[]; env: Record<string, string> };
}

/**
 * The environment of a private server. It contains nothing of the caller's environment, because its PGDATA,
 * RABBITMQ_NODENAME or MAILDEV_IP belong to other servers.
 */
export function serverEnvironment(home: string): NodeJS.ProcessEnv {
  return { PATH: searchPath(), HOME: home, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' };
}
