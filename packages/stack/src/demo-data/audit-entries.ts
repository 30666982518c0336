import type { AuditAction } from '@gatehouse/db';
import { SessionStatus } from '@gatehouse/schema';
import type { DemoContent } from './contents.ts';
import { ago, HOUR, MINUTE, type DemoWorld } from './demo-world.ts';
import { someAddress } from './devices.ts';
import type { Row } from './insert-rows.ts';
import type { DemoPerson } from './people.ts';

const ENTRIES = 260;

interface DemoEntry {
  action: AuditAction;
  targetKind: string;
  targetId: unknown;
  /** Undefined if the installation itself is the actor. */
  actorId: string | undefined;
  details: Record<string, unknown>;
}

/** The rows of `audit`: one month of changes by administrators and users. */
export function inventAudit(
  world: DemoWorld,
  given: { people: readonly DemoPerson[]; contents: readonly DemoContent[]; sessions: readonly Row[] },
): Row[] {
  const { random } = world;
  const minutes = Array.from({ length: ENTRIES }, () => random.whole(2, 30 * 24 * 60)).toSorted(
    (a, b) => b - a,
  );
  return minutes.map((since) => {
    const at = ago(world, since * MINUTE);
    const { action, targetKind, targetId, actorId, details } = someEntry(world, given);
    return {
      id: random.idAt(at),
      at,
      action,
      actor_kind: actorId === undefined ? 'System' : 'Account',
      actor_id: actorId ?? null,
      target_kind: targetKind,
      target_id: targetId,
      ip_address: someAddress(random),
      trace_id: random.bytes(16).toString('hex'),
      details,
    };
  });
}

function someEntry(world: DemoWorld, given: Parameters<typeof inventAudit>[1]): DemoEntry {
  const { random } = world;
  const { people, contents, sessions } = given;
  const pickOf = <T>(list: readonly T[]): T => {
    const found = list[random.whole(0, list.length - 1)];
    if (found === undefined) throw new Error('there is nothing to tell of');
    return found;
  };
  const admin = pickOf(people.filter(({ role }) => role === 'Admin')).id;
  const person = pickOf(people.filter(({ role }) => role !== 'Admin'));
  const content = pickOf(contents);
  const session = pickOf(sessions);
  const account = (action: AuditAction, actorId: string | undefined, details = {}): DemoEntry => ({
    action,
    targetKind: 'Account',
    targetId: person.id,
    actorId,
    details,
  });
  return random.pick<() => DemoEntry>([
    () => account('account.registered', undefined),
    () => account('account.verified', person.id),
    () => account('account.created', admin, { Role: 'User', LoginStatus: 5 }),
    () => account('account.changed', admin, { IsDisabled: true, Reason: 'Left the company' }),
    () => account('account.changed', admin, { ExpiresAt: ago(world, -720 * HOUR).toISOString() }),
    () => account('account.unlocked', admin, { Failures: random.whole(10, 30) }),
    () => account('account.reset-started', admin),
    () => account('password.changed', person.id),
    () => account('password.reset', person.id),
    () => account('profile.changed', person.id, { Changed: ['Locale'] }),
    () => account('two-factor.enabled', person.id),
    () => account('user.invited', content.owner.id, { ContentDefinitionId: content.id, Result: 'Invited' }),
    () => ({
      action: 'user-session.changed',
      targetKind: 'UserSession',
      targetId: session['id'],
      actorId: admin,
      details: {
        UserId: session['account_id'],
        Status: SessionStatus.Deactivated,
        Reason: 'Asked for by its owner',
      },
    }),
    () => ({
      action: 'content.changed',
      targetKind: 'ContentDefinition',
      targetId: content.id,
      actorId: admin,
      details: { Changed: ['Name'], Kind: content.kind, OwnerId: content.owner.id },
    }),
  ])();
}
