import type { Overview } from '@gatehouse/accounts';
import { Timestamp, Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

const Count = () => Type.Integer();

export const getStatisticsNow = route({
  method: 'get',
  path: '/admin/statistics/now',
  operationId: 'getStatisticsNow',
  tag: 'Statistics',
  summary: 'Get current totals',
  description:
    'Returns current totals. Each number is counted up to 100,000; larger numbers of accounts are estimated. ' +
    'The response is up to 15 seconds old; `At` is its time.',
  access: ['Admin'],
  response: Type.Object({
    Accounts: Count(),
    AccountsIsExact: Type.Boolean({ description: 'false if `Accounts` is an estimate' }),
    ByRole: Type.Object({ User: Count(), Guest: Count(), Admin: Count() }, { title: 'AccountsByRole' }),
    Disabled: Count(),
    Unverified: Count(),
    TwoFactor: Count(),
    Passkeys: Count(),
    SessionsActive: Count(),
    Online: Count(),
    Invitations: Count(),
    MailsParked: Count(),
    MailsWaiting: Count(),
    MailsOldestSeconds: Type.Number({ description: 'Age of the oldest waiting email; 0 if none' }),
    OutboxWaiting: Count(),
    OutboxOldestSeconds: Type.Number({ description: 'Age of the oldest waiting event; 0 if none' }),
    Throttled: Type.Integer({
      description: 'Number of accounts and user names whose logins wait after failed attempts',
    }),
    At: Timestamp(),
  }),
  handler: async ({ deps }) => answerOf(await deps.overview()),
});

function answerOf({ at, counts, isExact, mails, outbox }: Overview) {
  const { accounts, guests, admins } = counts;
  return {
    Accounts: accounts,
    AccountsIsExact: isExact,
    ByRole: { User: Math.max(0, accounts - guests - admins), Guest: guests, Admin: admins },
    Disabled: counts.disabled,
    Unverified: counts.unverified,
    TwoFactor: counts.twoFactor,
    Passkeys: counts.passkeys,
    SessionsActive: counts.sessionsActive,
    Online: counts.online,
    Invitations: counts.invitations,
    MailsParked: counts.mailsParked,
    MailsWaiting: mails.count,
    MailsOldestSeconds: mails.ageSeconds,
    OutboxWaiting: outbox.count,
    OutboxOldestSeconds: outbox.ageSeconds,
    Throttled: counts.throttled,
    At: at.toISOString(),
  };
}
