import { useState } from 'preact/hooks';
import { call, type Problem } from '../../../ui/api/api.ts';
import { problemText } from '../../../ui/api/problem-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Notice } from '../../../ui/layout/notice.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { useText } from '../../../ui/locale/locale.ts';
import { createPasskey } from '../../../ui/passkey/passkey.ts';
import type { Step } from '../login-answer.ts';

interface Begun {
  PasskeyToken: string;
  Options: PublicKeyCredentialCreationOptionsJSON;
}

/** Offers a passkey after a sign-in by password, so that the next login needs no typing. */
export function OfferStep({ onStep }: { onStep: (step: Step) => void }) {
  const text = useText();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const add = async (): Promise<void> => {
    setBusy(true);
    const found = await addPasskey(onStep);
    setBusy(false);
    setProblem(found);
  };
  return (
    <Page title={text('offer.title')} lead={text('offer.lead')}>
      {problem && (
        <Notice meaning="danger">
          <p>{problemText(problem, text)}</p>
        </Notice>
      )}
      <Button kind="primary" wide busy={isBusy} onClick={() => void add()}>
        {text('passkey.add')}
      </Button>
      <Button wide disabled={isBusy} onClick={() => onStep({ kind: 'done' })}>
        {text('offer.later')}
      </Button>
    </Page>
  );
}

/** The recent login is sufficient proof of identity. If the user or the browser cancels, no error is shown. */
async function addPasskey(onStep: (step: Step) => void): Promise<Problem | undefined> {
  const begun = await call<Begun>('POST', '/account/passkey/options', {});
  if (!begun.ok) return begun.problem;
  const { PasskeyToken, Options } = begun.value;
  const Credential = await createPasskey(Options);
  if (Credential === undefined) return undefined;
  const body = { PasskeyToken, Credential };
  const added = await call<{ RecoveryCodes?: string[] }>('POST', '/account/passkey', body);
  if (!added.ok) return added.problem;
  const codes = added.value.RecoveryCodes;
  onStep(codes === undefined ? { kind: 'done' } : { kind: 'recovery-codes', codes });
  return undefined;
}
