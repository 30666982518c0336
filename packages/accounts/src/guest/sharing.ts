import type { Caller } from '@gatehouse/auth-core';
import { accounts, contentDefinitions } from '@gatehouse/db';
import type { Account, ContentDefinition, Executor, KeyedAccount } from '@gatehouse/db';
import {
  Email,
  emailKey,
  Enum,
  Locale,
  normalizeEmail,
  Nullable,
  Optional,
  Timestamp,
  Type,
  Uuid,
} from '@gatehouse/schema';
import { actorOf } from '../session/write.ts';

/** Shared content, and who shares it: an account, or a static API token, which has no account. */
export interface Sharing {
  content: ContentDefinition;
  sharer: { id: string; account: Account | undefined };
}

/** Content with the caller as who shares it; `undefined` if there is no such content. */
export async function sharingBy(db: Executor, contentId: string, caller: Caller) {
  const content = await contentDefinitions.findById(db, contentId);
  if (content === undefined) return undefined;
  const actor = actorOf(caller);
  const account = actor.kind === 'Account' ? await accounts.findById(db, actor.id) : undefined;
  return { content, actor, sharer: { id: actor.id, account } };
}

/** When access ends. `null`: never; `undefined`: existing access keeps its end, and new access never ends. */
export type AccessEnd = Date | null | undefined;

/** Each mailbox once, by the key under which it is stored; in the order and spelling of its first occurrence. */
export function distinctEmails(emails: readonly string[]): Map<string, string> {
  const distinct = new Map<string, string>();
  for (const email of emails) {
    const normalized = normalizeEmail(email) ?? email;
    if (!distinct.has(emailKey(normalized))) distinct.set(emailKey(normalized), normalized);
  }
  return distinct;
}

const INVITE_RESULTS = ['Invited', 'AccessGranted', 'AlreadyHasAccess', 'Reinvited'] as const;
export type InviteResult = (typeof INVITE_RESULTS)[number];

/** What requests to share content contain, in every API … */
export const InviteFields = {
  Emails: Type.Array(Email(), { minItems: 1, maxItems: 100 }),
  ExpiresAt: Type.Optional(
    Nullable(Timestamp(), {
      description:
        'When the access ends; null means never. For people who already have access or an invitation, ' +
        'omitting it keeps the current end.',
    }),
  ),
  Locale: Type.Optional(
    Locale({ description: 'The language of people without an account; by default that of the inviter' }),
  ),
};

/** … and what answers them. */
export const InvitedUsers = Type.Object({
  Items: Type.Array(
    Type.Object(
      { Email: Type.String(), UserId: Uuid(), Result: Enum(INVITE_RESULTS) },
      { title: 'InvitedUser' },
    ),
  ),
});

export interface Invited {
  email: string;
  accountId: string;
  result: InviteResult;
}

export function invitedUsers(invited: readonly Invited[]) {
  return {
    Items: invited.map(({ email, accountId, result }) => ({
      Email: email,
      UserId: accountId,
      Result: result,
    })),
  };
}

const REMOVE_RESULTS = ['AccessRevoked', 'InvitationDeleted', 'NoAccess'] as const;

/** What requests to remove access contain, in every API … */
export const RemoveFields = {
  UserId: Type.Optional(Uuid()),
  Emails: Type.Optional(Type.Array(Email(), { minItems: 1, maxItems: 100 })),
};

/** … and what answers them. */
export const RemovedUsers = Type.Object({
  Items: Type.Array(
    Type.Object(
      {
        UserId: Type.Optional(Uuid()),
        Email: Optional.String(),
        Result: Enum(REMOVE_RESULTS),
      },
      { title: 'RemovedUser' },
    ),
  ),
});

export function removedUsers(removals: readonly Removal[], from: RemovedFrom) {
  return {
    Items: removals.map(({ name, result, from: whose }) => ({
      ...(whose && { UserId: whose.account.id, Email: whose.invitedEmail }),
      ...(from.by === 'id' ? { UserId: name } : { Email: from.emails.get(name) ?? name }),
      Result: result,
    })),
  };
}

/** The result for one given name: an account's id, or the key of an email. */
export interface Removal {
  name: string;
  result: (typeof REMOVE_RESULTS)[number];
  /** Whose access ended, and the email that was invited: a newer one must not be disclosed. */
  from?: { account: KeyedAccount; invitedEmail: string };
}

/** Whose access ends: that of an account, or of these emails (`distinctEmails`). */
export type RemovedFrom = { by: 'id'; id: string } | { by: 'emails'; emails: ReadonlyMap<string, string> };

/** Whose access ends; `undefined` unless exactly one of the fields is given. */
export function removedFrom({ UserId: id, Emails }: { UserId?: string; Emails?: string[] }) {
  if ((id === undefined) === (Emails === undefined)) return undefined;
  return id === undefined
    ? ({ by: 'emails', emails: distinctEmails(Emails ?? []) } as const)
    : ({ by: 'id', id } as const);
}
