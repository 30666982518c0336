import type { Role } from '@gatehouse/schema';
import type { RefusalCode } from '@gatehouse/redis';
import type { BrowserPurpose } from './browser/browser-session.ts';

export type Caller =
  | ({ kind: 'session'; accountId: string; sessionId: string; role: Role } & Credential)
  | {
      kind: 'service';
      tokenId: string;
      role: Role;
      /** Whether the token expires, or is accepted only from some networks. */
      isRestricted?: true;
    };

export type Credential =
  | {
      via: 'bearer';
      /** The `jti` of the access token. */
      tokenId: string;
      /** When the access token expires, in epoch seconds. */
      tokenExpiresAt: number;
    }
  | {
      via: 'cookie';
      purpose: BrowserPurpose;
      /** When the cookie expires, if before its session; epoch seconds. */
      endsAt?: number | undefined;
      /** Whether the browser took the session over from an app: its user has not logged in here. */
      isHandedOver?: boolean | undefined;
      cookieId?: string | undefined;
    };

/** Tells a credential from all others of its session: what its holder proves counts for it alone. */
export function credentialNameOf(credential: Credential): string {
  if (credential.via === 'bearer') return `token ${credential.tokenId}`;
  const { purpose, endsAt, cookieId } = credential;
  return [purpose, endsAt, isHandedOver(credential), cookieId].join(' ');
}

/** When a credential expires, epoch seconds; `undefined` if it is valid as long as its session. */
export function endOfCredential(credential: Credential): number | undefined {
  return credential.via === 'bearer' ? credential.tokenExpiresAt : credential.endsAt;
}

/** Whether a browser has taken the session over from an app: the session's login proves nothing about the browser's user. */
export function isHandedOver(credential: Credential): boolean {
  return credential.via === 'cookie' && credential.isHandedOver === true;
}

export interface Refusal<C extends RefusalCode = RefusalCode> {
  kind: 'refused';
  code: C;
  replacedBy?: Replacement | undefined;
}

/** A login that replaced another session of its account, as shown to the owner of that session. */
export interface Replacement {
  deviceName?: string;
  userAgent?: string;
  at: Date;
  tag?: string;
}
