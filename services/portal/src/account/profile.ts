import { accountUpdated, asOwner, differingNames, write } from '@gatehouse/accounts';
import { computed, record, time } from '@gatehouse/kit';
import {
  DisplayName,
  Email,
  emailKey,
  Enum,
  Locale,
  normalizeEmail,
  Nullable,
  ROLES,
  Type,
  Uuid,
} from '@gatehouse/schema';
import { accounts } from '@gatehouse/db';
import { findVisitor, VISITOR_ERRORS } from '@gatehouse/http';
import { routeOf } from '../deps.ts';

const route = routeOf({ tag: 'Account' });

const Profile = record(
  'account',
  {
    id: Uuid(),
    email: Email(),
    displayName: Nullable(Type.String()),
    locale: Type.String(),
    role: Enum(ROLES),
    hasPassword: computed(
      Type.Boolean({ description: 'Whether the account has a password to log in and to confirm changes' }),
      'password_scheme is not null',
    ),
    twoFactorEnabled: computed(
      Type.Boolean(),
      'exists (select 1 from two_factor where account_id = account.id and enabled_at is not null)',
    ),
    twoFactorRequired: Type.Boolean({
      description: 'Whether an administrator requires two-factor authentication',
    }),
    recoveryCodesLeft: computed(
      Type.Integer({ minimum: 0, description: 'Recovery codes that have not been used' }),
      '(select count(*)::integer from recovery_code where account_id = account.id and used_at is null)',
    ),
    createdAt: time(),
  },
  { name: 'Profile' },
);

export const profileRoutes = [
  route('GET /account/profile', {
    operationId: 'getProfile',
    summary: 'Get your profile',
    access: 'session',
    response: Profile.Answer,
    errors: ['session_ended'],
    handler: async ({ caller, deps, refuse }) => {
      const profile = await Profile.find(deps.db, caller.accountId);
      // The account was removed with its session during the request.
      if (profile === undefined) throw refuse('session_ended');
      return Profile.answer(profile);
    },
  }),

  route('GET /account/visitor', {
    operationId: 'getVisitor',
    summary: 'Get the profile of whoever is signed in to this browser',
    description:
      'For the account pages: to be signed in nowhere is no error here, as long as there is no cookie.',
    access: 'public',
    response: Type.Object({ Profile: Nullable(Profile.Answer) }),
    errors: VISITOR_ERRORS,
    handler: async ({ deps, request, refuse }) => {
      const visitor = await findVisitor(deps, 'pages', request, refuse);
      const profile = visitor && (await Profile.find(deps.db, visitor.accountId));
      return { Profile: profile === undefined ? null : Profile.answer(profile) };
    },
  }),

  route('PUT /account/profile', {
    operationId: 'updateProfile',
    summary: 'Update your profile',
    description: 'Omitted fields remain unchanged.',
    access: 'session',
    body: Type.Object({ DisplayName: Type.Optional(DisplayName()), Locale: Type.Optional(Locale()) }),
    response: Profile.Answer,
    errors: ['session_ended'],
    handler: async ({ body, caller: { accountId }, deps, request, refuse }) => {
      const profile = await write(deps, asOwner(accountId, request), async (tx) => {
        const before = await Profile.lock(tx, accountId);
        if (before === undefined) throw refuse('session_ended');
        const { DisplayName: displayName = before.displayName, Locale: locale = before.locale } = body;
        const changed = differingNames(before, { displayName, locale });
        // What it has computed may be older than the lock.
        if (changed.length === 0) return (await Profile.find(tx, accountId)) ?? before;
        tx.audit('profile.changed', { Changed: changed });
        tx.event(...accountUpdated(accountId, changed, { changedBy: accountId, origin: request }));
        return Profile.update(tx, accountId, { displayName, locale });
      });
      return Profile.answer(profile);
    },
  }),
];

export const emailAvailability = route('GET /account/email-availability', {
  operationId: 'checkEmailAvailability',
  summary: 'Check whether an email address is available',
  description:
    'An account that is still waiting for its owner counts as taken. The response contains the address in ' +
    'normalized form.',
  access: ['User', 'Admin', 'Service'],
  query: Type.Object({ email: Email() }),
  response: Type.Object({ Email: Email(), IsAvailable: Type.Boolean() }),
  handler: async ({ query, deps }) => {
    const email = normalizeEmail(query.email) ?? query.email;
    const account = await accounts.findByEmailKey(deps.db, emailKey(email));
    return { Email: email, IsAvailable: account === undefined };
  },
});
