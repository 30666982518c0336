import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { call, type Problem } from '../../ui/api/api.ts';
import { useCarried, useFragment } from '../carried.ts';
import { PATHS } from '../paths.ts';

/** What the API says of the account that is signed in. */
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

/** Something of one's own that the API was asked for. */
export interface Own<T> {
  /** What it said; nothing until then. */
  value?: T | undefined;
  /** Why it did not. */
  problem?: Problem | undefined;
  reload: () => Promise<void>;
}

/**
 * Calls the API for the signed-in account; visitors who are not signed in are sent to the login page, and back. If an
 * app hands its session over, its code is exchanged first.
 */
export function useOwn<T>(path: string): Own<T> {
  const { forgetFragment } = useCarried();
  const leave = useSignedOut();
  const [state, setState] = useState<{ value?: T; problem?: Problem }>({});
  const { HandoverCode } = useFragment();
  const reload = async (): Promise<void> => {
    const result = await call<T>('GET', path);
    if (result.ok) setState({ value: result.value });
    else if (!leave(result.problem)) setState({ problem: result.problem });
  };
  const arrive = async (): Promise<void> => {
    if (HandoverCode !== undefined) {
      const exchanged = await call('POST', '/account/handover/exchange', { HandoverCode });
      // A visitor who is signed in already needs no code; others sign in.
      if (exchanged.ok || exchanged.problem.code === 'invalid_code') return forgetFragment();
      return setState({ problem: exchanged.problem });
    }
    return reload();
  };
  useEffect(() => void arrive(), [path, HandoverCode]);
  return { ...state, reload: arrive };
}

/** Leads to the login page when the problem is that nobody is signed in, or no longer; says whether it is. */
export function useSignedOut(): (problem: Problem) => boolean {
  const { path, route } = useLocation();
  const { setEnding } = useCarried();
  return (problem) => {
    if (problem.status !== 401) return false;
    setEnding(problem);
    route(
      `${PATHS.login}?${new URLSearchParams({ returnUrl: path, reason: problem.code }).toString()}`,
      true,
    );
    return true;
  };
}

/** A refusal that concerns one field, though the API's code alone says so. */
export function atField(problem: Problem, fields: Readonly<Record<string, string>>): Problem {
  const name = fields[problem.code];
  if (name === undefined) return problem;
  return { ...problem, errors: [{ pointer: `/${name}`, message: problem.code, code: problem.code }] };
}
