import { useState } from 'preact/hooks';
import type { Problem } from '../../../ui/api/api.ts';
import { problemText } from '../../../ui/api/problem-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { PasskeyIcon } from '../../../ui/icon.tsx';
import { Notice } from '../../../ui/layout/notice.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { useText } from '../../../ui/locale/locale.ts';
import { addPasskey } from '../../add-passkey.ts';
import type { Step } from '../login-answer.ts';

/** Offers a passkey after a sign-in by password, so that the next login needs no typing. */
export function OfferStep({ onStep }: { onStep: (step: Step) => void }) {
  const text = useText();
  const [problem, setProblem] = useState<Problem>();
  const add = async (): Promise<void> => setProblem(await offered(onStep));
  return (
    <Page title={text('offer.title')} lead={text('offer.lead')}>
      {problem && (
        <Notice meaning="danger">
          <p>{problemText(problem, text)}</p>
        </Notice>
      )}
      <Button kind="primary" wide icon={<PasskeyIcon />} busyWords={text('passkey.waiting')} onClick={add}>
        {text('passkey.add')}
      </Button>
      <Button wide onClick={() => onStep({ kind: 'done' })}>
        {text('offer.later')}
      </Button>
    </Page>
  );
}

/** The recent login is sufficient proof of identity. If the user or the browser cancels, no error is shown. */
async function offered(onStep: (step: Step) => void): Promise<Problem | undefined> {
  const added = await addPasskey({}, '');
  if (added === undefined) return undefined;
  if (!added.ok) return added.problem;
  const codes = added.value.RecoveryCodes;
  onStep(codes === undefined ? { kind: 'done' } : { kind: 'recovery-codes', codes });
  return undefined;
}
