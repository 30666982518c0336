import { useState } from 'preact/hooks';
import { call, type Problem } from '../../ui/api/api.ts';
import { problemText } from '../../ui/api/problem-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { DownloadIcon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { saveFile } from '../../ui/save-file.ts';
import { ProofStep } from '../account/proof-step.tsx';
import { useSignedOut, type Profile } from '../account/own-account.ts';
import { useIdentityProof } from '../account/use-identity-proof.ts';

/** Saves a copy of all stored data of the account as a file. */
export function ExportSection({ profile }: { profile: Profile }) {
  const text = useText();
  const leave = useSignedOut();
  const [isDone, setDone] = useState(false);
  const download = async (proof: object): Promise<Problem | undefined> => {
    setDone(false);
    const result = await call('POST', '/account/export', proof);
    if (!result.ok) return leave(result.problem) ? undefined : result.problem;
    saveFile('account.json', 'application/json', `${JSON.stringify(result.value, undefined, 2)}\n`);
    setDone(true);
    return undefined;
  };
  const { isBusy, isAsked, problem, attempt, prove, cancel } = useIdentityProof(download);
  return (
    <Section title={text('data.export.title')} lead={text('data.export.lead')}>
      {problem && (
        <Notice meaning="danger">
          <p>{problemText(problem, text)}</p>
        </Notice>
      )}
      {isDone && (
        <Notice meaning="success">
          <p>{text('data.export.done')}</p>
        </Notice>
      )}
      {isAsked ? (
        <ProofStep profile={profile} lead={text('data.export.proof')} onProof={prove} onCancel={cancel} />
      ) : (
        <div>
          <Button icon={<DownloadIcon />} busy={isBusy} onClick={() => void attempt()}>
            {text('data.export.submit')}
          </Button>
        </div>
      )}
    </Section>
  );
}
