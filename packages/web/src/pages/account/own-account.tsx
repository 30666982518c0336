import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { call, type Problem } from '../../ui/api/api.ts';
import { problemText } from '../../ui/api/problem-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { thisPage } from '../login/destination.ts';
import { usePageState } from '../page-state.ts';
import { PATHS } from '../paths.ts';

/** The signed-in account, as returned by the API. */
export interface Profile {
  Email: string;
  DisplayName: string | null;
  Locale: string;
  Role: string;
  HasPassword: boolean;
  TwoFactorEnabled: boolean;
  TwoFactorRequired: boolean;
  RecoveryCodesLeft: number;
}

/** A resource of the signed-in account that is loaded from the API. */
interface Own<T> {
  /** The loaded value; `undefined` until then. */
  value?: T | undefined;
  /** Why loading failed. */
  problem?: Problem | undefined;
  reload: () => Promise<void>;
}

/**
 * Loads a resource of the signed-in account. Visitors who are not signed in are sent to the login page, and return
 * afterwards.
 */
export function useOwn<T>(path: string): Own<T> {
  const leave = useSignedOut();
  const [state, setState] = useState<{ value?: T; problem?: Problem }>({});
  const reload = async (): Promise<void> => {
    const result = await call<T>('GET', path);
    if (result.ok) setState({ value: result.value });
    else if (!leave(result.problem)) setState({ problem: result.problem });
  };
  useEffect(() => void reload(), [path]);
  return { ...state, reload };
}

/** Opens the login page if the problem is that nobody is signed in (any more). Returns whether it does. */
export function useSignedOut(): (problem: Problem) => boolean {
  const { route } = useLocation();
  const { setEnding } = usePageState();
  return (problem) => {
    if (problem.status !== 401) return false;
    setEnding(problem);
    route(
      `${PATHS.login}?${new URLSearchParams({ returnUrl: thisPage(), reason: problem.code }).toString()}`,
      true,
    );
    return true;
  };
}

/** Assigns an error to a field if its code implies one, although the API does not name it. */
export function atField(problem: Problem, fields: Readonly<Record<string, string>>): Problem {
  const name = fields[problem.code];
  if (name === undefined) return problem;
  return { ...problem, errors: [{ pointer: `/${name}`, message: problem.code, code: problem.code }] };
}

const EXPLANATIONS = {
  conflict: 'own.conflict',
  unavailable: 'own.unavailable',
  offline: 'own.offline',
} as const;

/** Shows the loaded value, or why it could not be loaded. */
export function Loaded<T>({ own, children }: { own: Own<T>; children: (value: T) => ComponentChildren }) {
  const text = useText();
  const { value, problem, reload } = own;
  if (problem !== undefined) {
    return (
      <>
        <Notice meaning="danger">
          <p>{problemText(problem, text, EXPLANATIONS)}</p>
        </Notice>
        <Button onClick={reload}>{text('own.again')}</Button>
      </>
    );
  }
  if (value === undefined) return <p role="status">{text('own.loading')}</p>;
  return <>{children(value)}</>;
}
