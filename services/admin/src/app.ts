import type { Auth } from '@gatehouse/auth-core';
import { createApi, type Route } from '@gatehouse/http';
import type { Log, Metrics } from '@gatehouse/runtime';
import type { Deps } from './deps.ts';

export const routes: Route<Deps>[] = [];

/** Admin's API. */
export function createAdmin(options: {
  deps: Deps;
  auth: Auth;
  log: Log;
  metrics: Metrics;
  trustProxy: string;
  corsOrigins: string;
}) {
  return createApi<Deps>({ title: 'Gatehouse Admin', version: '1', routes, ...options });
}
