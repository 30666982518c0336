import type { GetVisitorResponse, Profile } from 'gatehouse-client';
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { call, type Method, NOT_LOADED, type Problem, type Result } from '../../ui/api.ts';
import { Button } from '../../ui/button.tsx';
import { type MessageKey, pageData, text } from '../../ui/locale.ts';
import { Fault } from '../../ui/notice.tsx';
import { Items } from '../../ui/row.tsx';
import { findVisitor } from '../../ui/visitor.ts';
import { onTheWay, thisPage } from '../login/destination.ts';
import { usePageState } from '../page-state.ts';
import { PATHS } from '../paths.ts';

/** A resource of the signed-in account that is loaded from the API. */
interface Own<T> {
  /** The loaded value; `undefined` until then. */
  value?: T | undefined;
  problem?: Problem | undefined;
  reload: () => Promise<void>;
}

/**
 * Loads a resource of the signed-in account. Visitors who are not signed in are sent to the login page, and return
 * afterwards.
 */
export function useOwn<T>(path: string, load = (): Promise<Result<T>> => call('GET', path)): Own<T> {
  const leave = useSignedOut();
  const [state, setState] = useState<{ value?: T; problem?: Problem }>({});
  const reload = async (): Promise<void> => {
    const result = await load();
    if (result.ok) setState({ value: result.value });
    else if (!leave(result.problem)) setState({ problem: result.problem });
  };
  useEffect(() => void reload(), [path]);
  return { ...state, reload };
}

export function useProfile(): Own<Profile> {
  return useOwn('/account/profile', findProfile);
}

/** Finds whoever is signed in to this browser. */
export function findProfile(): Promise<Result<Profile>> {
  const asked = call<GetVisitorResponse>('GET', '/account/visitor');
  return findVisitor('Profile', asked, () => call('GET', '/account/profile'));
}

/** Opens the login page if the problem is that nobody is signed in (any more). Returns whether it does. */
export function useSignedOut(): (problem: Problem) => boolean {
  const { route } = useLocation();
  const { setEnding } = usePageState();
  return (problem) => {
    if (problem.status !== 401) return false;
    setEnding(problem);
    const returnUrl = thisPage();
    route(
      onTheWay(PATHS.login, {
        // Without an app, a login leads to the profile anyway.
        ...((returnUrl !== PATHS.profile || pageData.AppUrl !== undefined) && { returnUrl }),
        // Nobody was signed in: there is no ending to explain.
        ...(problem.code !== 'token_missing' && { reason: problem.code }),
      }),
      true,
    );
    return true;
  };
}

type OwnCall = (
  method: Method,
  path: string,
  body: object,
  onDone: (value: never) => unknown,
) => Promise<Problem | undefined>;

/**
 * Changes something of the signed-in account. Returns the error, if there is one; none if nobody is signed in any more,
 * because the login page then opens.
 */
export function useOwnCall(): OwnCall {
  const leave = useSignedOut();
  return async (method, path, body, onDone) => {
    const result = await call<never>(method, path, body);
    if (!result.ok) return leave(result.problem) ? undefined : result.problem;
    await onDone(result.value);
    return undefined;
  };
}

export function Loaded<T>({ own, children }: { own: Own<T>; children: (value: T) => ComponentChildren }) {
  const { value, problem, reload } = own;
  if (problem !== undefined) {
    return (
      <>
        <Fault problem={problem} explanations={{ ...NOT_LOADED, conflict: 'own.conflict' }} />
        <Button onClick={reload}>{text('own.again')}</Button>
      </>
    );
  }
  if (value === undefined) return <Loading />;
  return <>{children(value)}</>;
}

interface OwnItemsProps<T> {
  own: Own<{ Items: readonly T[] }>;
  /** Says that there are none. */
  none: MessageKey;
  children: (item: T) => ComponentChildren;
}

/** A list of what the account has of one kind. */
export function OwnItems<T>({ own, none, children }: OwnItemsProps<T>) {
  return (
    <Loaded own={own}>
      {({ Items: all }) => (all.length === 0 ? <p>{text(none)}</p> : <Items>{all.map(children)}</Items>)}
    </Loaded>
  );
}

export function Loading() {
  return <p role="status">{text('own.loading')}</p>;
}
