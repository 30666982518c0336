import { call, type Problem } from '../../ui/api/api.ts';
import { SessionExistsPage } from '../../ui/session-exists/session-exists-page.tsx';
import { deviceName } from '../../pages/device.ts';
import type { Me } from '../api/console-context.ts';
import { takeStep, type Step } from './step.ts';

interface ExistsStepProps {
  step: Extract<Step, { kind: 'exists' }>;
  onStep: (step: Step) => void;
}

/** Asks whether to end the session that is in the way. */
export function ExistsStep({ step: { exists, isSignOn }, onStep }: ExistsStepProps) {
  const [first] = exists.active;
  const exchange = async (): Promise<Problem | undefined> => {
    const result = await call<Me>('POST', '/console/handover/exchange', { SignOnCode: exists.token });
    if (!result.ok) return result.problem;
    onStep({ kind: 'done', me: result.value });
    return undefined;
  };
  return (
    <SessionExistsPage
      exists={exists}
      device={first && deviceName(first)}
      onTakeOver={() => (isSignOn === true ? exchange() : takeStep({ TakeOverToken: exists.token }, onStep))}
      onAgain={() => onStep({ kind: 'credentials' })}
    />
  );
}
