import { useEffect, useState } from 'preact/hooks';
import { call, post, type Problem } from '../../ui/api.ts';
import { beginSignOn, type SignOn, signOnFailure } from '../../sign-in/sign-on.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { type SessionExists, sessionExistsIn } from '../../sign-in/session-exists.ts';
import type { Answer, Me } from '../api/call-api.ts';
import { type TextKey, words } from '../text.ts';

/** What a sign-on from the console comes back to. */
export interface Kept {
  /** The screen to return to. */
  path: string;
  confirms: boolean;
}

export type SignedOn =
  | { kind: 'in'; me: Me }
  | { kind: 'confirmed' }
  | { kind: 'exists'; exists: SessionExists }
  | { kind: 'failed'; because: string };

/** Exchanges the code that a sign-on returned. */
export async function finishSignOn(signOn: SignOn<Kept>): Promise<SignedOn> {
  const failed = (code: string): SignedOn => ({ kind: 'failed', because: signOnFailure(code) });
  if ('error' in signOn) return failed(signOn.error);
  const { code: SignOnCode, kept } = signOn;
  if (kept?.confirms === true) {
    const confirmed = await call('POST', '/console/session/confirm', { SignOnCode });
    return confirmed.ok ? { kind: 'confirmed' } : failed(codeOf(confirmed.problem));
  }
  const result = await call<Me>('POST', '/console/handover/exchange', { SignOnCode });
  if (result.ok) return { kind: 'in', me: result.value };
  const exists = sessionExistsIn(result.problem);
  return exists === undefined ? failed(codeOf(result.problem)) : { kind: 'exists', exists };
}

function codeOf({ code }: Problem): string {
  if (code === 'conflict') return 'another_account';
  return code === 'invalid_code' ? 'invalid_attempt' : code;
}

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
  const begin = (loginUrl: string): void => {
    const path = location.pathname + location.search;
    const { SignOnUrl } = options;
    // On one machine the console has two origins (localhost and 127.0.0.1), and each has its own sessionStorage: the
    // sign-on must begin on the origin to which the provider returns.
    if (SignOnUrl !== undefined && new URL(SignOnUrl).origin !== location.origin)
      return location.assign(new URL(path, SignOnUrl));
    const query = { console: 'true', ...(confirms && { confirm: 'true' }) };
    location.assign(beginSignOn(loginUrl, query, { path, confirms } satisfies Kept, sessionStorage));
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
  const [problem, setProblem] = useState<Problem>();
  const take = async (): Promise<void> =>
    setProblem(await post('/console/handover/exchange', { HandoverCode: code }, onSignedIn));
  return (
    <Page title={words('signIn.handOver.title')} lead={words('signIn.handOver.lead')}>
      {problem && (
        <Notice meaning="danger">
          {words(HAND_OVER_FAILURES[problem.code] ?? 'signIn.handOver.failed')}
        </Notice>
      )}
      {problem === undefined ? (
        <Button kind="primary" wide onClick={take}>
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
  conflict: 'signOn.failed.another_account',
};
