import type { Row } from '../row.ts';
import { argon2id } from './argon2id.ts';
import { coldStart } from './cold-start.ts';
import { erasures } from './erasures.ts';
import { fairLogins } from './fair-logins.ts';
import { firstLogins } from './first-logins.ts';
import { flood } from './flood.ts';
import { importLines } from './import-lines.ts';
import { login } from './login.ts';
import { mail } from './mail.ts';
import { million } from './million.ts';
import { pingAuth } from './session/ping-auth.ts';
import { ping } from './session/ping.ts';
import { redisMemory } from './redis-memory.ts';
import { refresh } from './session/refresh.ts';
import { sessionCheck } from './session/session-check.ts';
import { soak } from './soak.ts';
import { streams } from './streams.ts';
import { twoProcesses } from './two-processes.ts';

/** In the order of measurement. */
export const ROWS: readonly Row[] = [
  ping,
  pingAuth,
  sessionCheck,
  refresh,
  login,
  argon2id,
  flood,
  fairLogins,
  firstLogins,
  redisMemory,
  mail,
  erasures,
  importLines,
  twoProcesses,
  streams,
  million,
  // The last row that uses the shared system, because it restarts Core.
  coldStart,
  soak,
];
