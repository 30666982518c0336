import { newEvent, newMailEvent, type AnyEvent, type MailKind } from '@gatehouse/events';
import type { DemoInvitation } from './contents.ts';
import { ago, DAY, HOUR, MINUTE, type DemoWorld } from './demo-world.ts';
import type { Row } from './insert-rows.ts';
import type { DemoPerson } from './people.ts';

const MONTH = 30 * DAY;
/** Answers of mail servers for mails that were given up (RFC 3463). */
const ERRORS = [
  '550 5.1.1 The email account that you tried to reach does not exist',
  '552 5.2.2 The recipient’s mailbox is full',
  '550 5.7.1 Message blocked: it looks like spam',
  '451 4.3.0 Try again later',
] as const;
const PARKED = 9;
const RETRYING = 3;

/** The rows of `mail_delivery`: mails of the last month that were sent, and some that were not. */
export function inventMails(
  world: DemoWorld,
  people: readonly DemoPerson[],
  invitations: readonly DemoInvitation[],
): Row[] {
  const { random } = world;
  const recent = people.filter(({ createdAt }) => createdAt > ago(world, MONTH));
  const here = people.filter(
    ({ lastLoginAt }) => lastLoginAt !== undefined && lastLoginAt > ago(world, MONTH),
  );
  return [
    ...invitations
      .filter(({ invitedAt }) => invitedAt > ago(world, MONTH))
      .map(({ id, account, content, invitedAt, mailEventId }) => {
        const data = { UserId: account.id, InvitationId: id, ContentDefinitionId: content.id };
        const event = newEvent('guest.invited', data, { id: mailEventId, at: invitedAt });
        return sent(world, { kind: 'invitation', account, event, at: invitedAt });
      }),
    ...recent
      .filter(({ role }) => role === 'User')
      .map((account) => {
        const [at, UserId] = [account.createdAt, account.id];
        const event = newEvent(
          'account.verification-requested',
          { UserId, Mail: '' },
          { id: random.idAt(at), at },
        );
        return sent(world, { kind: 'verification-code', account, event, at });
      }),
    ...here
      .filter((_, at) => at % 3 === 0)
      .map((account) => {
        const at = account.lastLoginAt ?? world.now;
        const data = { UserId: account.id, SessionId: random.idAt(at) };
        const event = newEvent('session.new-device', data, { id: random.idAt(at), at });
        return sent(world, { kind: 'new-device', account, event, at });
      }),
    ...here.slice(0, PARKED + RETRYING).map((account, at) => unsent(world, account, at)),
  ];
}

interface DemoMail {
  kind: MailKind;
  account: DemoPerson;
  event: AnyEvent;
  at: Date;
}

function mailOf({ random }: DemoWorld, { kind, account, event, at }: DemoMail): Row {
  return {
    id: event.id,
    kind,
    account_id: account.id,
    email: account.email,
    event,
    status: 'Sent',
    tries: 1,
    last_error: null,
    next_try_at: null,
    claimed_until: null,
    created_at: at,
    sent_at: null,
    parked_at: null,
    trace_id: random.bytes(16).toString('hex'),
    tries_forgiven: 0,
    retried_at: null,
    code_id: null,
  };
}

function sent(world: DemoWorld, mail: DemoMail): Row {
  const { Mail: _, ...data } = mail.event.data as { Mail?: string }; // no other field is needed here
  const event = { ...mail.event, data };
  return {
    ...mailOf(world, mail),
    event,
    sent_at: new Date(mail.at.getTime() + world.random.whole(1, 9) * 1000),
  };
}

/** A notice that was not sent. Notices are still valid when they are sent again. */
function unsent(world: DemoWorld, account: DemoPerson, number: number): Row {
  const { random } = world;
  const isParked = number < PARKED;
  const at = ago(world, isParked ? random.whole(3, 9 * 24) * HOUR : random.whole(1, 20) * MINUTE);
  const content = {
    Email: account.email,
    DisplayName: account.name,
    Locale: account.locale,
    At: at.toISOString(),
    IpAddress: '192.0.2.17',
  };
  const data = { UserId: account.id };
  const event = newMailEvent(world.seal, 'account.password-changed', data, content, {
    id: random.idAt(at),
    at,
  });
  return {
    ...mailOf(world, { kind: 'password-changed', account, event, at }),
    status: isParked ? 'Parked' : 'Retrying',
    tries: isParked ? 12 : 2,
    last_error: isParked ? ERRORS[number % ERRORS.length] : 'connect ETIMEDOUT 192.0.2.25:587',
    next_try_at: isParked ? null : new Date(world.now.getTime() + 40 * MINUTE),
    parked_at: isParked ? new Date(Math.min(at.getTime() + 16 * HOUR, world.now.getTime())) : null,
  };
}
