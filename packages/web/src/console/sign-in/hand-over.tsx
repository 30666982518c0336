import { useState } from 'preact/hooks';
import { call, type Problem } from '../../ui/api/api.ts';
import { Button } from '../../ui/form/button.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { Page } from '../../ui/layout/page.tsx';
import type { Me } from '../api/console-context.ts';
import { useWords, type TextKey } from '../text.ts';

interface HandOverProps {
  code: string;
  onSignedIn: (me: Me) => void;
  /** Continues without the handed-over session. */
  onGiveUp: () => void;
}

/**
 * Takes over an app's session, after a confirmation. Without a confirmation, an attacker's link would sign the user in
 * to the attacker's account.
 */
export function HandOver({ code, onSignedIn, onGiveUp }: HandOverProps) {
  const words = useWords();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const take = async (): Promise<void> => {
    setBusy(true);
    const result = await call<Me>('POST', '/console/handover/exchange', { HandoverCode: code });
    setBusy(false);
    if (result.ok) onSignedIn(result.value);
    else setProblem(result.problem);
  };
  return (
    <Page title={words('signIn.handOver.title')} lead={words('signIn.handOver.lead')}>
      {problem && (
        <Notice meaning="danger">
          <p>{words(FAILURES[problem.code] ?? 'signIn.handOver.failed')}</p>
        </Notice>
      )}
      {problem === undefined ? (
        <Button kind="primary" wide busy={isBusy} onClick={() => void take()}>
          {words('signIn.handOver.submit')}
        </Button>
      ) : (
        <Button wide onClick={onGiveUp}>
          {words('signIn.handOver.other')}
        </Button>
      )}
    </Page>
  );
}

const FAILURES: Readonly<Partial<Record<string, TextKey>>> = {
  invalid_code: 'signIn.handOver.invalid_code',
  conflict: 'signIn.handOver.conflict',
};
