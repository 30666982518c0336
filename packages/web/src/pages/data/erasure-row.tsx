import { useState } from 'preact/hooks';
import { call, type Problem } from '../../ui/api/api.ts';
import { usePageData } from '../../ui/api/page-data.ts';
import { problemText } from '../../ui/api/problem-text.ts';
import { DeleteIcon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { Row } from '../../ui/layout/row.tsx';
import { useText, type MessageKey } from '../../ui/locale/locale.ts';
import { ProofStep } from '../account/proof-step.tsx';
import { useSignedOut, type Profile } from '../account/own-account.ts';
import { useIdentityProof } from '../account/use-identity-proof.ts';
import { ErasureCodeStep } from './erasure-code-step.tsx';

interface ErasureRowProps {
  profile: Profile;
  /** Called when the account has been closed, with the time of its erasure. */
  onClosed: (erasedAt: string) => void;
}

/** Erases the account: its owner requests this, and confirms it with a code sent by mail. */
export function ErasureRow({ profile, onClosed }: ErasureRowProps) {
  const text = useText();
  const leave = useSignedOut();
  const { EraseAfterDays: days } = usePageData();
  const [isMailed, setMailed] = useState(false);
  const ask = async (proof: object): Promise<Problem | undefined> => {
    const result = await call('POST', '/account/erase', proof);
    setMailed(result.ok);
    return result.ok || leave(result.problem) ? undefined : result.problem;
  };
  const { isAsked, problem, attempt, prove, cancel } = useIdentityProof(ask);
  const stop = (): void => {
    cancel();
    setMailed(false);
  };
  return (
    <Row
      icon={<DeleteIcon />}
      title={text('data.erasure.title')}
      state={`${text('data.erasure.lead')} ${text(afterOf(days), { days })}`}
      isLong
      action={{ words: text('data.erasure.begin'), kind: 'danger', onPress: attempt }}
      onCancel={stop}
      notice={
        problem && (
          <Notice meaning="danger">
            <p>{problemText(problem, text, { conflict: 'data.erasure.conflict' })}</p>
          </Notice>
        )
      }
    >
      {isAsked && <ProofStep profile={profile} lead={text('data.erasure.proof')} onProof={prove} />}
      {isMailed && <ErasureCodeStep email={profile.Email} onAgain={attempt} onClosed={onClosed} />}
    </Row>
  );
}

/** Says for how long the owner can change their mind. */
function afterOf(days: number): MessageKey {
  if (days === 0) return 'data.erasure.now';
  return days === 1 ? 'data.erasure.day' : 'data.erasure.days';
}
