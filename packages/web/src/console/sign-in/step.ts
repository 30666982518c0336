import { call, type Problem } from '../../ui/api.ts';
import type { Answer } from '../api/ask.ts';
import type { Me } from '../api/console-context.ts';

interface Setup {
  Secret: string;
  OtpAuthUri: string;
}

/** Where signing in stands. */
export type Step =
  | { kind: 'credentials' }
  | { kind: 'code'; token: string; setup?: Setup }
  | { kind: 'recovery-codes'; codes: readonly string[]; me: Me }
  | { kind: 'done'; me: Me };

/** Takes a step; a refusal is given back. */
export async function takeStep(body: object, onStep: (step: Step) => void): Promise<Problem | undefined> {
  const result = await call<Answer<'POST /console/session'>>('POST', '/console/session', body);
  if (!result.ok) return result.problem;
  const { value } = result;
  if ('TwoFactorToken' in value) {
    const setup = 'TwoFactorSetup' in value ? { setup: value.TwoFactorSetup } : {};
    onStep({ kind: 'code', token: value.TwoFactorToken, ...setup });
    return undefined;
  }
  const { RecoveryCodes: codes, ...me } = value;
  onStep(codes === undefined ? { kind: 'done', me } : { kind: 'recovery-codes', codes, me });
  return undefined;
}
