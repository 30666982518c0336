import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { PASSWORD } from '../../src/testing/index.ts';
import type { RawRequest, HttpAnswer } from '../raw-request.ts';
import type { ServiceName, Target } from '../target.ts';

/** Fields that would give an account more rights than its owner may have. */
const EXTRA_FIELDS = {
  Role: 'Admin',
  role: 'admin',
  Id: '00000000-0000-7000-8000-000000000000',
  IsDisabled: false,
  IsEmailVerified: true,
  isEmailVerified: true,
  Signup: 'complete',
  TwoFactorEnabled: true,
  TwoFactorRequired: true,
  ExpiresAt: null,
  PasswordHash: `$2b$04$${'a'.repeat(53)}`,
  NewPasswordRequired: true,
  CreatedAt: '2000-01-01T00:00:00Z',
};

/** Tests values that could be mistaken for others: kinds of tokens, and fields of bodies. */
export function valuesAreNotConfused(given: () => Target): void {
  let target: Target;
  before(() => {
    target = given();
  });

  it('each kind of token and code is accepted only where it belongs', async () => {
    const kinds = await oneOfEachKind(target);
    const endpoints = endpointsFor(target);
    for (const [name, { open, opens, answers }] of Object.entries(endpoints)) {
      for (const [kind, value] of Object.entries(kinds)) {
        if (opens.includes(kind)) continue;
        const { status, json, text } = await open(value);
        assert.deepEqual([status, json['code']], answers, `${kind} as ${name}: ${text}`);
      }
    }
    // The values are valid where they belong.
    assert.equal((await endpoints['bearer']?.open(kinds['access token'] ?? ''))?.status, 200);
    assert.equal((await endpoints['refresh token']?.open(kinds['refresh token'] ?? ''))?.status, 200);
    assert.equal((await endpoints['code to verify']?.open(kinds['code to verify'] ?? ''))?.status, 200);
    assert.equal((await endpoints['invitation']?.open(kinds['invitation'] ?? ''))?.status, 200);
  });

  it('a request body cannot set fields that its route does not name', async () => {
    const email = target.someEmail();
    const polluted = (body: object) =>
      JSON.stringify({ ...body, ...EXTRA_FIELDS }).replace(
        '{',
        '{"__proto__":{"Role":"Admin"},"constructor":{"prototype":{"Role":"Admin"}},',
      );
    const sent = async (service: ServiceName, method: string, path: string, body: object, token?: string) => {
      const asked: RawRequest = {
        method,
        path,
        token,
        body: polluted(body),
        headers: { 'content-type': 'application/json' },
      };
      const { status, text } = await target.to(service, asked);
      assert.equal(status, 200, `${path}: ${text}`);
    };
    await sent('core', 'POST', '/account/register', { Email: email, Password: PASSWORD });
    assert.equal(
      (await target.posts('core', '/account/login', { Username: email, Password: PASSWORD })).status,
      403,
    );
    await sent('core', 'POST', '/account/verify', { Email: email, Code: await target.mailedCode(email) });
    const { Token } = await target.logIn(email);
    await sent('portal', 'PUT', '/account/profile', { DisplayName: 'Ann' }, Token);
    const [kept] = await query<Record<string, unknown>>(
      target.db,
      "select role, display_name, is_disabled, expires_at, two_factor_required, created_at > now() - interval '1 hour' as is_new from account where email = ?",
      [email],
    );
    assert.deepEqual(kept, {
      role: 'User',
      display_name: 'Ann',
      is_disabled: false,
      expires_at: null,
      two_factor_required: false,
      is_new: true,
    });
    const { status, json } = await target.to('admin', {
      method: 'GET',
      path: '/admin/account',
      token: Token,
    });
    assert.deepEqual([status, json['code']], [403, 'forbidden']);
  });
}

/** One valid token or code of each kind, for the same person where possible. */
async function oneOfEachKind(target: Target): Promise<Record<string, string>> {
  const { email } = await target.newPerson();
  const { Token, RefreshToken } = await target.logIn(email);
  await target.posts('core', '/account/forgot-password', { Email: PENDING });
  await target.posts('core', '/account/register', { Email: PENDING, Password: PASSWORD });
  const required = await target.newPerson();
  await target.change(required.id, { TwoFactorRequired: true });
  const half = await target.posts('core', '/account/login', { Username: required.email, Password: PASSWORD });
  const guest = target.someEmail();
  const { contentDefinitionId } = target.stack.facts.seed;
  const invitation = { Emails: [guest], ContentDefinitionId: contentDefinitionId };
  await target.posts('portal', '/account/invite-user', invitation, target.adminToken);
  await target.posts('core', '/account/forgot-password', { Email: email });
  return {
    'access token': Token,
    'refresh token': RefreshToken,
    'static token': (await target.newToken('Service')).Token,
    'two-factor token': String(half.json['TwoFactorToken']),
    'code to verify': await target.mailedCode(PENDING),
    'code to reset': await target.mailedCode(email),
    invitation: await target.mailedInvitation(guest),
  };
}

/** The email of an account that waits for verification. */
const PENDING = `pending.${Date.now().toString(36)}@example.com`;

interface Endpoint {
  open: (value: string) => Promise<HttpAnswer>;
  opens: string[];
  /** The response to all other values. */
  answers: [number, string];
}

function endpointsFor(target: Target): Record<string, Endpoint> {
  const { ssoProvider } = target.stack.facts;
  return {
    bearer: {
      open: (token) => target.to('core', { method: 'GET', path: '/ping/auth', token }),
      opens: ['access token', 'static token'],
      answers: [401, 'token_invalid'],
    },
    'refresh token': {
      open: (RefreshToken) => target.posts('core', '/account/refresh-token', { RefreshToken }),
      opens: ['refresh token'],
      answers: [401, 'token_invalid'],
    },
    'refresh token of a sign-on': {
      open: (refreshToken) => target.posts('admin', `/api/auth/${ssoProvider}/renew`, { refreshToken }),
      opens: [],
      answers: [401, 'token_invalid'],
    },
    'two-factor token': {
      open: (TwoFactorToken) =>
        target.posts('core', '/account/login', {
          TwoFactorToken: TwoFactorToken.slice(0, 512),
          TwoFactorCode: '000000',
        }),
      opens: ['two-factor token'],
      answers: [404, 'authentication_failed'],
    },
    invitation: {
      open: (InvitationToken) =>
        target.posts('portal', '/account/register-guest', {
          InvitationToken,
          Password: PASSWORD,
          DisplayName: 'Gus',
        }),
      opens: ['invitation'],
      answers: [400, 'invalid_invitation'],
    },
    'code to reset': {
      open: (Code) =>
        target.posts('core', '/account/reset-password', {
          Email: PENDING,
          Code,
          Password: 'a wholly new one',
        }),
      opens: [],
      answers: [400, 'invalid_code'],
    },
    // A code allows five tries, so only a few other kinds may be tried before it.
    'code to verify': {
      open: (Code) => target.posts('core', '/account/verify', { Email: PENDING, Code }),
      opens: ['access token', 'refresh token', 'static token', 'invitation', 'code to verify'],
      answers: [400, 'invalid_code'],
    },
  };
}
