import { call, type Problem } from '../../../ui/api/api.ts';
import { SessionExistsPage } from '../../../ui/session-exists/session-exists-page.tsx';
import type { SessionExists } from '../../../ui/session-exists/session-exists.ts';
import { deviceName } from '../../device.ts';
import { continueLogin, type LoginAnswer, type Step } from '../login-answer.ts';

interface ExistsStepProps {
  exists: SessionExists;
  keep: boolean;
  /** Takes the session over after a sign-on at an identity provider. */
  viaSignOn: ((token: string) => Promise<Problem | undefined>) | undefined;
  onStep: (step: Step) => void;
}

/** Asks whether to end the session that is in the way. */
export function ExistsStep({ exists, keep, viaSignOn, onStep }: ExistsStepProps) {
  const [first] = exists.active;
  const takeOver = async (TakeOverToken: string): Promise<Problem | undefined> => {
    const body = { TakeOverToken, Delivery: 'Cookie', KeepSignedIn: keep };
    return continueLogin(await call<LoginAnswer>('POST', '/account/login', body), onStep);
  };
  return (
    <SessionExistsPage
      exists={exists}
      device={first && deviceName(first)}
      onTakeOver={() => (viaSignOn ?? takeOver)(exists.token)}
      onAgain={() => onStep({ kind: 'credentials' })}
    />
  );
}
