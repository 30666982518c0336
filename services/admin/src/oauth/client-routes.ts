import type { Route } from '@gatehouse/http';
import type { Deps } from '../deps.ts';
import { deleteClientSession } from './delete-client-session.ts';
import { deleteClient } from './delete-client.ts';
import { getClient } from './get-client.ts';
import { listClientSessions } from './list-client-sessions.ts';
import { listClients } from './list-clients.ts';
import { patchClient } from './patch-client.ts';
import { postClient } from './post-client.ts';
import { rotateClient } from './rotate-client.ts';

/** The routes that administer applications. */
export const clientRoutes: Route<Deps>[] = [
  listClients,
  getClient,
  postClient,
  patchClient,
  rotateClient,
  deleteClient,
  listClientSessions,
  deleteClientSession,
];
