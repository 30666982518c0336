import { useEffect, useState } from 'preact/hooks';
import { call, type Problem, type Result } from '../../ui/api/api.ts';
import type { Fragment } from '../../ui/fragment.ts';
import { useOwn, useSignedOut } from '../account/own-account.ts';
import { usePageState, useFragment } from '../page-state.ts';
import type { ProofAction } from './passkeys/use-passkeys.ts';

/** An identity at a provider, as shown to its owner. */
export interface OwnIdentity {
  Number: number;
  Provider: string | null;
  Name: string | null;
  Issuer: string;
  LinkedAt: string;
}

const KEPT = 'gatehouse-identity-link';

/**
 * The identities of the account, linking and unlinking them, the result of a sign-on that was begun for a link, and how
 * many have been linked and unlinked.
 */
export function useIdentities() {
  const leave = useSignedOut();
  const own = useOwn<{ Items: OwnIdentity[] }>('/account/identity');
  const { forgetFragment } = usePageState();
  const said = useFragment();
  const [problem, setProblem] = useState<Problem>();
  const [failure, setFailure] = useState<string>();
  const [asked, setAsked] = useState<ProofAction>();
  const [changes, setChanges] = useState(0);

  const settle = async (result: Result<unknown>): Promise<Problem | undefined> => {
    if (!result.ok) return leave(result.problem) ? undefined : result.problem;
    setAsked(undefined);
    await own.reload();
    return undefined;
  };
  const returnFromProvider = async (): Promise<void> => {
    const back = takeLink(said);
    if (back === undefined) return;
    forgetFragment();
    if ('error' in back) return setFailure(back.error);
    const linked = await call('POST', '/account/identity', { IdentityCode: back.code });
    if (linked.ok) setChanges(changes + 1);
    setProblem(await settle(linked));
  };
  useEffect(() => void returnFromProvider(), []);

  const link =
    (provider: string): ProofAction =>
    async (proof) => {
      const begun = await call<{ Url: string; State: string }>(
        'POST',
        `/account/identity/${provider}`,
        proof,
      );
      if (!begun.ok) return settle(begun);
      sessionStorage.setItem(KEPT, begun.value.State);
      location.assign(begun.value.Url);
      return undefined;
    };
  const unlink =
    (number: number): ProofAction =>
    async (proof) => {
      const unlinked = await call('DELETE', '/account/identity', { Number: number, ...proof });
      if (unlinked.ok) setChanges(changes + 1);
      return settle(unlinked);
    };
  const attempt = async (action: ProofAction): Promise<void> => {
    setProblem(undefined);
    setFailure(undefined);
    const refusal = await action({});
    if (refusal?.code === 'confirmation_required') setAsked(() => action);
    else setProblem(refusal);
  };
  /** Forgets what the owner has begun. */
  const cancel = (): void => {
    setProblem(undefined);
    setFailure(undefined);
    setAsked(undefined);
  };
  return { own, problem, failure, asked, changes, link, unlink, attempt, cancel };
}

/** Reads the result of a link from the address. It is invalid if this tab has not begun the link. */
function takeLink({ IdentityCode: code, SignOnError: error, State: state }: Fragment) {
  if (code === undefined && error === undefined) return undefined;
  const kept = sessionStorage.getItem(KEPT);
  if (kept === null || kept !== state) return { error: 'invalid_attempt' };
  sessionStorage.removeItem(KEPT);
  return code === undefined ? { error: error ?? 'invalid_attempt' } : { code };
}
