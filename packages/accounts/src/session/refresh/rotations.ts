import type { RefreshTokens } from '@gatehouse/auth-core';
import {
  clientSessions,
  sessionRefresh,
  type Db,
  type Rotated,
  type RotatedClientSession,
} from '@gatehouse/db';
import type { AccountSettings } from '../../settings/account-settings.ts';
import { createRotationBatches, type Rotate, type Use } from './rotation-batches.ts';

export type RotateSession = Rotate<Use, Rotated>;

/** A client shows a refresh token of its own; `sessionId` is the client session. */
export type RotateClientSession = Rotate<Use & { clientId: string }, RotatedClientSession>;

interface Options {
  db: Db;
  refreshTokens: Pick<RefreshTokens, 'newNonce'>;
  settings: Pick<AccountSettings, 'REFRESH_GRACE_SECONDS' | 'SESSION_IDLE_SECONDS'>;
}

/** Uses refresh tokens, of sessions and of clients. */
export function createRotations(
  options: Options & { clientRefreshTokens: Pick<RefreshTokens, 'newNonce'> },
): { rotate: RotateSession; rotateClient: RotateClientSession } {
  const { clientRefreshTokens: refreshTokens } = options;
  return { rotate: ofSessions(options), rotateClient: ofClients({ ...options, refreshTokens }) };
}

function ofSessions({ db, refreshTokens, settings }: Options): RotateSession {
  const bounds = boundsOf(settings);
  return createRotationBatches({
    db,
    rotate: (tx, uses, locked) => {
      const attempts = uses.map(({ sessionId, nonce }) => ({
        ...{ sessionId, nonce },
        fresh: refreshTokens.newNonce(),
      }));
      return sessionRefresh.rotate(tx, attempts, { ...bounds, locked });
    },
    rowOf: ({ sessionId }) => sessionId,
    shownBy: () => '',
  });
}

function ofClients({ db, refreshTokens, settings }: Options): RotateClientSession {
  const bounds = boundsOf(settings);
  return createRotationBatches({
    db,
    rotate: (tx, uses, locked) => {
      const attempts = uses.map(({ sessionId: id, nonce, clientId }) => ({
        ...{ id, nonce, clientId },
        fresh: refreshTokens.newNonce(),
      }));
      return clientSessions.rotate(tx, attempts, { ...bounds, locked });
    },
    rowOf: ({ id }) => id,
    shownBy: ({ clientId }) => clientId,
  });
}

function boundsOf(settings: Options['settings']) {
  const { REFRESH_GRACE_SECONDS: graceSeconds, SESSION_IDLE_SECONDS: idleSeconds } = settings;
  return { graceSeconds, idleSeconds };
}
