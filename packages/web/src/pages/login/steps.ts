import type { LoginStatus } from 'gatehouse-client';
import type { Problem, Result } from '../../ui/api.ts';
import { type FactorStep, factorStepOf, type SecondFactorAnswer } from '../../sign-in/second-factor.ts';
import { type SessionExists, sessionExistsIn } from '../../sign-in/session-exists.ts';
import type { AccountOptions } from '../account-options.ts';
import type { Return } from './destination.ts';
import type { KeptRequest } from './kept-request.ts';

/** The response to a login: it sets a cookie, or says what else is required. */
export interface LoginAnswer extends SecondFactorAnswer {
  RecoveryCodes?: readonly string[];
}

/** The steps of a login. Those that an answer leads to have its names. */
export type Step =
  | { kind: 'credentials' }
  | { kind: 'sign-on' }
  | { kind: 'email' }
  | { kind: 'mail-code'; request: KeptRequest; code?: string }
  | { kind: 'elsewhere'; code: string }
  | FactorStep
  | { kind: 'recovery-codes'; codes: readonly string[] }
  | { kind: 'condition'; status: LoginStatus; ban: Ban }
  | { kind: 'session-exists'; exists: SessionExists }
  | { kind: 'signed-in' }
  | { kind: 'offer' }
  | { kind: 'done' };

/** What the steps of a login share. */
export interface Login {
  go: (step: Step) => void;
  /** Sends what a step has asked for, and opens the step that follows. Returns the error if none does. */
  send: Send;
  /** Whether the session lasts after the browser is closed. */
  keep: boolean;
  setKeep: (keep: boolean) => void;
  /** Where to go after the login. */
  back: Return;
  /** The same, as an address. */
  destination: string;
  options: AccountOptions | undefined;
  /** The sign-on at an identity provider that ended on this page. */
  signOn: {
    /** Why it failed. */
    failure: string | undefined;
    /** Ends the session that is in its way, with the token that says so. */
    takeOver: ((token: string) => Promise<Problem | undefined>) | undefined;
  };
}

/** `onAnswer` is told the answer before the next step opens. */
type Send = (
  fields: object,
  onAnswer?: (result: Result<LoginAnswer>) => void,
) => Promise<Problem | undefined>;

export interface StepProps<K extends Step['kind']> {
  step: Extract<Step, { kind: K }>;
  login: Login;
}

/** Until when and why an account is disabled, if an administrator chose to tell its owner. */
interface Ban {
  until?: string;
  reason?: string;
}

function banIn({ body: { DisabledUntil: until, DisabledReason: reason } }: Problem): Ban {
  return {
    ...(typeof until === 'string' && { until }),
    ...(typeof reason === 'string' && { reason }),
  };
}

/** The step after a response (docs/pages.md). */
function stepAfter(answer: LoginAnswer): Step {
  const { RecoveryCodes: codes } = answer;
  return (
    factorStepOf(answer) ?? (codes === undefined ? { kind: 'signed-in' } : { kind: 'recovery-codes', codes })
  );
}

/** Continues with the response to a login. Returns the error if there is no step for it. */
export function continueLogin(result: Result<LoginAnswer>, go: (step: Step) => void): Problem | undefined {
  const exists = result.ok ? undefined : sessionExistsIn(result.problem);
  if (result.ok) go(stepAfter(result.value));
  else if (exists !== undefined) go({ kind: 'session-exists', exists });
  else if (result.problem.LoginStatus === undefined) return result.problem;
  else go({ kind: 'condition', status: result.problem.LoginStatus, ban: banIn(result.problem) });
  return undefined;
}
