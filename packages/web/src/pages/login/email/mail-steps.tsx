import { useEffect } from 'preact/hooks';
import { useFragment } from '../../page-state.ts';
import type { Step } from '../login-answer.ts';
import { ElsewhereStep } from './elsewhere-step.tsx';
import { EmailStep } from './email-step.tsx';
import { keptRequest, linkedCode } from './kept-request.ts';
import { MailCodeStep } from './mail-code-step.tsx';

interface MailStepsProps {
  step: Extract<Step, { kind: 'email' | 'mail-code' | 'elsewhere' }>;
  onStep: (step: Step) => void;
  keep: boolean;
  onKeep: (keep: boolean) => void;
  sessionTag: string | undefined;
}

/** The steps of a login with a mailed code. */
export function MailSteps({ step, ...props }: MailStepsProps) {
  switch (step.kind) {
    case 'email':
      return <EmailStep onStep={props.onStep} />;
    case 'mail-code':
      return <MailCodeStep {...props} request={step.request} code={step.code} />;
    case 'elsewhere':
      return <ElsewhereStep code={step.code} onStep={props.onStep} />;
  }
}

/**
 * The step that the link of a mail with a code opens, if this page was opened by one. Opening it changes nothing, in any
 * browser. The link may also be opened in a tab that shows this page already, which then calls `onStep`.
 */
export function useLinkedStep(onStep: (step: Step) => void): Step | undefined {
  const { Code } = useFragment();
  useEffect(() => {
    const linked = stepOfLink(Code);
    if (linked !== undefined) onStep(linked);
  }, [Code]);
  return stepOfLink(Code);
}

function stepOfLink(text: string | undefined): Step | undefined {
  const code = linkedCode(text);
  if (code === undefined) return undefined;
  const request = keptRequest(() => localStorage);
  return request === undefined ? { kind: 'elsewhere', code } : { kind: 'mail-code', request, code };
}
