import type { GetVisitorResponse, Profile } from 'gatehouse-client';
import { type ComponentChildren, createContext } from 'preact';
import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { call, findVisitor, NOT_LOADED, type Operation, type Problem, type Result } from '../../ui/api.ts';
import { Button } from '../../ui/button.tsx';
import { type MessageKey, pageData, text } from '../../ui/locale.ts';
import { Fault, Notice } from '../../ui/notice.tsx';
import { Items } from '../../ui/row.tsx';
import { useAround, usePageState } from '../page-state.ts';
import { onTheWay, PATHS, thisPage } from '../paths.ts';

interface Own<T> {
  value?: T | undefined;
  problem?: Problem | undefined;
  reload: () => Promise<void>;
}

/**
 * Loads a resource of the signed-in account. Visitors who are not signed in are sent to the login page, and return
 * afterwards.
 */
export function useOwn<T>(path: `/${string}`, load = (): Promise<Result<T>> => call(`GET ${path}`)): Own<T> {
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

export function findProfile(): Promise<Result<Profile>> {
  const asked = call<GetVisitorResponse>('GET /account/visitor');
  return findVisitor('Profile', asked, () => call('GET /account/profile'));
}

interface Account {
  profile: Profile;
  reload: () => Promise<void>;
}

const AccountContext = createContext<Account | undefined>(undefined);

/** The signed-in account, within `WithAccount`. */
export function useAccount(): Account {
  return useAround(AccountContext);
}

export function WithAccount({ own, children }: { own: Own<Profile>; children: ComponentChildren }) {
  return (
    <Loaded own={own}>
      {(profile) => (
        <AccountContext.Provider value={{ profile, reload: own.reload }}>{children}</AccountContext.Provider>
      )}
    </Loaded>
  );
}

/** Opens the login page if the problem is that nobody is signed in (any more). Returns whether it does. */
export function useSignedOut(): (problem: Problem) => boolean {
  const { route } = useLocation();
  const { set } = usePageState();
  return (problem) => {
    if (problem.status !== 401) return false;
    set({ ending: problem });
    const returnUrl = thisPage();
    const back = {
      // Without an app, a login leads to the profile anyway.
      ...((returnUrl !== PATHS.profile || pageData.AppUrl !== undefined) && { returnUrl }),
      // Nobody was signed in: there is no ending to explain.
      ...(problem.code !== 'token_missing' && { reason: problem.code }),
    };
    route(onTheWay(PATHS.login, back), true);
    return true;
  };
}

/**
 * Changes something of the signed-in account. Returns the error, if there is one; none if nobody is signed in any more,
 * because the login page then opens.
 */
export function useOwnCall() {
  const leave = useSignedOut();
  return async (operation: Operation, body: object, onDone: (value: never) => unknown) => {
    const result = await call<never>(operation, body);
    if (!result.ok) return leave(result.problem) ? undefined : result.problem;
    await onDone(result.value);
    return undefined;
  };
}

/**
 * Removes things of the account one after the other, up to the first error. What is gone already counts as removed.
 *
 * @param onRemoved called if there were any.
 */
export function useRemoval(onRemoved?: () => unknown) {
  const leave = useSignedOut();
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<ComponentChildren>();
  const remove = async (
    paths: readonly `/${string}`[],
    wordsOf: (count: number) => string,
  ): Promise<void> => {
    setBusy(true);
    setOutcome(undefined);
    let count = 0;
    let problem: Problem | undefined;
    for (const path of paths) {
      const result = await call(`DELETE ${path}`);
      problem = result.ok || result.problem.status === 404 ? undefined : result.problem;
      if (problem !== undefined) break;
      count += 1;
    }
    if (problem === undefined) setOutcome(<Notice meaning="success">{wordsOf(count)}</Notice>);
    else if (!leave(problem)) setOutcome(<Fault problem={problem} />);
    if (count > 0) await onRemoved?.();
    setBusy(false);
  };
  return { isBusy, outcome, remove };
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
  return value === undefined ? <Loading /> : <>{children(value)}</>;
}

interface OwnItemsProps<T> {
  own: Own<{ Items: readonly T[] }>;
  none: MessageKey;
  children: (item: T) => ComponentChildren;
}

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
