import { route } from '../deps.ts';
import { ConsoleSession, consoleSessionOf } from './console-session.ts';

export const getConsoleSession = route({
  method: 'get',
  path: '/console/session',
  operationId: 'getConsoleSession',
  tag: 'Console',
  summary: 'Get the administrator who is signed in to the console',
  access: 'admin session',
  response: ConsoleSession,
  errors: ['session_ended'],
  handler: async ({ caller, deps, refuse }) => {
    const session = await consoleSessionOf(deps, caller);
    if (session === undefined) throw refuse('session_ended');
    return session;
  },
});
