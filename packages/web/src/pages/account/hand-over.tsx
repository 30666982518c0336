import { useEffect, useState } from 'preact/hooks';
import { call, type Problem } from '../../ui/api/api.ts';
import { problemText } from '../../ui/api/problem-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { usePageState } from '../page-state.ts';

const EXPLANATIONS = {
  invalid_code: 'handOver.expired',
  conflict: 'own.conflict',
  unavailable: 'own.unavailable',
  offline: 'own.offline',
} as const;

/**
 * Takes an app's session over, after the visitor has seen whose it is. Without the question, an attacker's link would sign
 * the visitor in to the attacker's account.
 */
export function HandOver({ code: HandoverCode }: { code: string }) {
  const text = useText();
  const { forgetFragment } = usePageState();
  const [email, setEmail] = useState<string>();
  const [problem, setProblem] = useState<Problem>();
  const look = async (): Promise<void> => {
    setProblem(undefined);
    const preview = { HandoverCode, DryRun: true };
    const result = await call<{ Email: string }>('POST', '/account/handover/exchange', preview);
    if (result.ok) setEmail(result.value.Email);
    // The visitor may already be signed in; if not, the login page follows.
    else if (result.problem.code === 'invalid_code') forgetFragment();
    else setProblem(result.problem);
  };
  const take = async (): Promise<void> => {
    const result = await call('POST', '/account/handover/exchange', { HandoverCode });
    if (result.ok) forgetFragment();
    else setProblem(result.problem);
  };
  useEffect(() => void look(), [HandoverCode]);
  return (
    <Page title={text('handOver.title')} lead={text('handOver.lead')}>
      {problem !== undefined && (
        <Notice meaning="danger">
          <p>{problemText(problem, text, EXPLANATIONS)}</p>
        </Notice>
      )}
      {problem === undefined && email === undefined && <p role="status">{text('own.loading')}</p>}
      {problem === undefined && email !== undefined && (
        <Button kind="primary" wide onClick={take}>
          {text('handOver.submit', { email })}
        </Button>
      )}
      {problem !== undefined && problem.code !== 'invalid_code' && (
        <Button wide onClick={email === undefined ? look : take}>
          {text('own.again')}
        </Button>
      )}
      <Button wide onClick={forgetFragment}>
        {text('handOver.other')}
      </Button>
    </Page>
  );
}
