import { call, type Problem } from '../../ui/api/api.ts';
import { sessionExistsIn, type SessionExists } from '../../ui/session-exists/session-exists.ts';
import type { Me } from '../api/console-context.ts';
import type { TextKey } from '../text.ts';
import type { SignOn } from './sign-on.ts';

/** The result of a sign-on: a session, a confirmed identity, or the reason why it failed. */
export type SignedOn =
  | { kind: 'in'; me: Me }
  | { kind: 'confirmed' }
  | { kind: 'exists'; exists: SessionExists }
  | { kind: 'failed'; because: TextKey };

/** Exchanges the code that a sign-on returned. */
export async function finishSignOn(signOn: SignOn): Promise<SignedOn> {
  if ('error' in signOn) return { kind: 'failed', because: failureOf(signOn.error) };
  const { code: SignOnCode, confirms } = signOn;
  if (confirms === true) {
    const confirmed = await call('POST', '/console/session/confirm', { SignOnCode });
    return confirmed.ok ? { kind: 'confirmed' } : failed(confirmed.problem);
  }
  const result = await call<Me>('POST', '/console/handover/exchange', { SignOnCode });
  if (result.ok) return { kind: 'in', me: result.value };
  const exists = sessionExistsIn(result.problem);
  return exists === undefined ? failed(result.problem) : { kind: 'exists', exists };
}

function failed({ code }: Problem): SignedOn {
  if (code === 'conflict') return { kind: 'failed', because: 'signIn.handOver.conflict' };
  return { kind: 'failed', because: failureOf(code === 'invalid_code' ? 'invalid_attempt' : code) };
}

/** The text for a code of docs/sso.md. */
function failureOf(code: string): TextKey {
  return FAILURES.find((key) => key === `signOn.${code}`) ?? 'signOn.provider_error';
}

const FAILURES: readonly TextKey[] = [
  'signOn.access_denied',
  'signOn.invalid_attempt',
  'signOn.provider_unavailable',
  'signOn.too_many_requests',
  'signOn.account_exists',
  'signOn.email_missing',
  'signOn.email_not_verified',
  'signOn.domain_not_allowed',
  'signOn.not_provisioned',
  'signOn.not_administrator',
  'signOn.sign_on_not_fresh',
  'signOn.guest_not_allowed',
  'signOn.two_factor_required',
  'signOn.new_password_required',
  'signOn.account_disabled',
  'signOn.account_expired',
  'signOn.signup_pending',
  'signOn.migration_pending',
  'signOn.email_confirmation_pending',
  'signOn.invitation_pending',
];
