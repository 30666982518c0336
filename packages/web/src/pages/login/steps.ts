import type { LoginStatus } from 'gatehouse-client';
import {
  type FactorStep,
  factorStepOf,
  type SecondFactorAnswer,
  type SessionExists,
  sessionExistsIn,
} from '../../sign-in/answers.ts';
import { change, type Problem } from '../../ui/api.ts';
import type { KeptRequest } from './kept.ts';

/** Ends the session that is in the way of a sign-on, with the token that says so. */
type TakeOver = (token: string) => Promise<Problem | undefined>;

/** The steps of a login. Those that an answer leads to have its names. */
export type Step =
  | { kind: 'credentials' }
  | { kind: 'sign-on' }
  | { kind: 'email' }
  | { kind: 'mail-code'; request: KeptRequest; code?: string }
  | { kind: 'elsewhere'; code: string }
  | FactorStep
  | { kind: 'recovery-codes'; codes: readonly string[] }
  | { kind: 'condition'; status: LoginStatus; body: Problem['body'] }
  | { kind: 'session-exists'; exists: SessionExists; takeOver?: TakeOver }
  | { kind: 'signed-in' }
  | { kind: 'offer' }
  | { kind: 'done' };

/** Sends the fields of a step, and calls `go` with the next one (docs/pages.md). Returns the error if there is none. */
export async function takeStep(fields: object, go: (step: Step) => void, onTaken?: () => void) {
  type Answer = SecondFactorAnswer & { RecoveryCodes?: readonly string[] };
  const problem = await change('POST /account/login', { ...fields, Delivery: 'Cookie' }, (answer: Answer) => {
    onTaken?.();
    const { RecoveryCodes: codes } = answer;
    const last: Step = codes === undefined ? { kind: 'signed-in' } : { kind: 'recovery-codes', codes };
    go(factorStepOf(answer) ?? last);
  });
  if (problem === undefined) return undefined;
  const exists = sessionExistsIn(problem);
  if (exists !== undefined) go({ kind: 'session-exists', exists });
  else if (problem.LoginStatus === undefined) return problem;
  else go({ kind: 'condition', status: problem.LoginStatus, body: problem.body });
  return undefined;
}
