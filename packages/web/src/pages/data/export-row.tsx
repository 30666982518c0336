import { useState } from 'preact/hooks';
import { call, type Problem } from '../../ui/api/api.ts';
import { problemText } from '../../ui/api/problem-text.ts';
import { DownloadIcon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { Row } from '../../ui/layout/row.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { saveFile } from '../../ui/save-file.ts';
import { ProofStep } from '../account/proof-step.tsx';
import { useSignedOut, type Profile } from '../account/own-account.ts';
import { useIdentityProof } from '../account/use-identity-proof.ts';

/** Saves a copy of all stored data of the account as a file. */
export function ExportRow({ profile }: { profile: Profile }) {
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
  const { isAsked, problem, attempt, prove, cancel } = useIdentityProof(download);
  return (
    <Row
      icon={<DownloadIcon />}
      title={text('data.export.title')}
      state={text('data.export.lead')}
      isLong
      action={{ words: text('data.export.submit'), onPress: attempt }}
      onCancel={cancel}
      notice={
        problem ? (
          <Notice meaning="danger">
            <p>{problemText(problem, text)}</p>
          </Notice>
        ) : (
          isDone && (
            <Notice meaning="success">
              <p>{text('data.export.done')}</p>
            </Notice>
          )
        )
      }
    >
      {isAsked && <ProofStep profile={profile} lead={text('data.export.proof')} onProof={prove} />}
    </Row>
  );
}
