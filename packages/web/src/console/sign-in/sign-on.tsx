import { useEffect, useState } from 'preact/hooks';
import { call, type Problem } from '../../ui/api.ts';
import type { Fragment } from '../../ui/browser.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { type SessionExists, sessionExistsIn } from '../../sign-in/session-exists.ts';
import type { Answer, Me } from '../api/call-api.ts';
import { type TextKey, useWords } from '../text.ts';

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const KEPT = 'gatehouse-console-sign-on';

interface Kept {
  state: string;
  /** The screen to return to. */
  path: string;
  confirms: boolean;
}

/**
 * Returns the URL at which a sign-on at an identity provider begins. This tab stores a random `state` that the response
 * must contain, so that a link with an attacker's code cannot sign anybody in.
 */
function beginSignOn(loginUrl: string, { path, confirms }: Omit<Kept, 'state'>, store: Store): string {
  const state = [...crypto.getRandomValues(new Uint8Array(32))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  store.setItem(KEPT, JSON.stringify({ state, path, confirms } satisfies Kept));
  const query = { console: 'true', ...(confirms && { confirm: 'true' }), state };
  return `${loginUrl}?${new URLSearchParams(query).toString()}`;
}

/** The response of a sign-on: a code, or an error. */
export type SignOn = ({ code: string } | { error: string }) & Partial<Pick<Kept, 'path' | 'confirms'>>;

/** Reads the response of a sign-on from the address. An error if this tab has no pending sign-on with its state. */
export function takeSignOn(fragment: Fragment, storeOf: () => Store): SignOn | undefined {
  const { SignOnCode: code, SignOnError: error, State: state } = fragment;
  if (code === undefined && error === undefined) return undefined;
  const store = storeOf();
  const text = store.getItem(KEPT);
  // Only `beginSignOn` writes this entry.
  const kept = text === null ? undefined : (JSON.parse(text) as Kept);
  if (kept === undefined || kept.state !== state) return { error: 'invalid_attempt' };
  store.removeItem(KEPT);
  const { path, confirms } = kept;
  if (code === undefined || error !== undefined) return { error: error ?? 'invalid_attempt', path, confirms };
  return { code, path, confirms };
}

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

type Options = Answer<'GET /console/options'>;

/** What the sign-in offers; `undefined` until it is known. It is asked without a session, and so without a cache. */
export function useSignInOptions(): Options | undefined {
  const [options, setOptions] = useState<Options>();
  useEffect(() => {
    void call<Options>('GET', '/console/options').then((result) =>
      setOptions(result.ok ? result.value : undefined),
    );
  }, []);
  return options;
}

interface ProviderButtonsProps {
  options: Options;
  /** Whether the sign-on confirms the signed-in administrator's identity, instead of opening a session. */
  confirms?: boolean;
}

/**
 * Single sign-on, if the installation has identity providers. Buttons rather than links: a link can be opened in
 * another tab, which would lack the stored state of the sign-on.
 */
export function ProviderButtons({ options, confirms = false }: ProviderButtonsProps) {
  const words = useWords();
  const begin = (loginUrl: string): void => {
    const path = location.pathname + location.search;
    const { SignOnUrl } = options;
    // On one machine the console has two origins (localhost and 127.0.0.1), and each has its own sessionStorage: the
    // sign-on must begin on the origin to which the provider returns.
    if (SignOnUrl !== undefined && new URL(SignOnUrl).origin !== location.origin)
      return location.assign(new URL(path, SignOnUrl));
    location.assign(beginSignOn(loginUrl, { path, confirms }, sessionStorage));
  };
  return (
    <>
      {options.Providers.map(({ Id, Name }) => (
        <Button key={Id} wide onClick={() => begin(`/auth/${Id}/login`)}>
          {words('login.provider', { provider: Name })}
        </Button>
      ))}
    </>
  );
}

interface HandOverProps {
  code: string;
  onSignedIn: (me: Me) => void;
  /** Continues without the handed-over session. */
  onGiveUp: () => void;
}

/**
 * Takes over an app's session, after a confirmation. Without a confirmation, an attacker's link would sign the user in
 * to the attacker's account.
 */
export function HandOver({ code, onSignedIn, onGiveUp }: HandOverProps) {
  const words = useWords();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const take = async (): Promise<void> => {
    setBusy(true);
    const result = await call<Me>('POST', '/console/handover/exchange', { HandoverCode: code });
    setBusy(false);
    if (result.ok) onSignedIn(result.value);
    else setProblem(result.problem);
  };
  return (
    <Page title={words('signIn.handOver.title')} lead={words('signIn.handOver.lead')}>
      {problem && (
        <Notice meaning="danger">
          <p>{words(HAND_OVER_FAILURES[problem.code] ?? 'signIn.handOver.failed')}</p>
        </Notice>
      )}
      {problem === undefined ? (
        <Button kind="primary" wide busy={isBusy} onClick={() => void take()}>
          {words('signIn.handOver.submit')}
        </Button>
      ) : (
        <Button wide onClick={onGiveUp}>
          {words('signIn.handOver.other')}
        </Button>
      )}
    </Page>
  );
}

const HAND_OVER_FAILURES: Readonly<Partial<Record<string, TextKey>>> = {
  invalid_code: 'signIn.handOver.invalid_code',
  conflict: 'signIn.handOver.conflict',
};
