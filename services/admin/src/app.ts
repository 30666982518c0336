import type { Auth } from '@gatehouse/auth-core';
import { createApi, type Route } from '@gatehouse/http';
import type { Log, Metrics } from '@gatehouse/runtime';
import { deleteContent } from './content/delete-content.ts';
import { getContent } from './content/get-content.ts';
import { listContent } from './content/list-content.ts';
import { postContent } from './content/post-content.ts';
import { putContent } from './content/put-content.ts';
import type { Deps } from './deps.ts';

export const about = { title: 'Gatehouse Admin', version: '1' };

export const routes: Route<Deps>[] = [listContent, getContent, postContent, putContent, deleteContent];

/** Admin's API. */
export function createAdmin(options: {
  deps: Deps;
  auth: Auth;
  log: Log;
  metrics: Metrics;
  trustProxy: string;
  corsOrigins: string;
}) {
  return createApi<Deps>({ ...about, routes, ...options });
}
