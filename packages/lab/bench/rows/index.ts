import type { Row } from '../row.ts';
import { applications } from './session/applications.ts';
import { coldStart } from './cold-start.ts';
import { fairLogins } from './fair-logins.ts';
import { flood } from './flood.ts';
import { idle } from './idle.ts';
import { login } from './login.ts';
import { mail } from './mail.ts';
import { million } from './million.ts';
import { ping } from './session/ping.ts';
import { redisMemory } from './redis-memory.ts';
import { refresh } from './session/refresh.ts';
import { sessionCheck } from './session/session-check.ts';

/** In the order of measurement. */
export const ROWS: readonly Row[] = [
  ping,
  sessionCheck,
  refresh,
  applications,
  login,
  flood,
  fairLogins,
  redisMemory,
  mail,
  idle,
  million,
  // The last row that uses the shared system, because it restarts Core.
  coldStart,
];
