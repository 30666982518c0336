import { useState } from 'preact/hooks';
import { call, type Problem } from '../../ui/api/api.ts';
import { usePageData } from '../../ui/api/page-data.ts';
import { problemText } from '../../ui/api/problem-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { ProofStep } from '../account/proof-step.tsx';
import { useSignedOut, type Profile } from '../account/own-account.ts';
import { useIdentityProof } from '../account/use-identity-proof.ts';
import { ErasureCodeStep } from './erasure-code-step.tsx';

interface ErasureSectionProps {
  profile: Profile;
  /** Called when the account has been closed, with the time of its erasure. */
  onClosed: (erasedAt: string) => void;
}

/** Erases the account: its owner requests this, and confirms it with a code sent by mail. */
export function ErasureSection({ profile, onClosed }: ErasureSectionProps) {
  const text = useText();
  const leave = useSignedOut();
  const { EraseAfterDays: days } = usePageData();
  const [isMailed, setMailed] = useState(false);
  const ask = async (proof: object): Promise<Problem | undefined> => {
    const result = await call('POST', '/account/erase', proof);
    setMailed(result.ok);
    return result.ok || leave(result.problem) ? undefined : result.problem;
  };
  const { isBusy, isAsked, problem, attempt, prove, cancel } = useIdentityProof(ask);
  return (
    <Section title={text('data.erasure.title')} lead={text('data.erasure.lead')}>
      {problem && (
        <Notice meaning="danger">
          <p>{problemText(problem, text, { conflict: 'data.erasure.conflict' })}</p>
        </Notice>
      )}
      {isAsked && (
        <ProofStep profile={profile} lead={text('data.erasure.proof')} onProof={prove} onCancel={cancel} />
      )}
      {isMailed && (
        <ErasureCodeStep
          email={profile.Email}
          onAgain={() => void attempt()}
          onCancel={() => setMailed(false)}
          onClosed={onClosed}
        />
      )}
      {!isAsked && !isMailed && (
        <>
          <p>{days > 0 ? text('data.erasure.days', { days }) : text('data.erasure.now')}</p>
          <div>
            <Button kind="danger" busy={isBusy} onClick={() => void attempt()}>
              {text('data.erasure.begin')}
            </Button>
          </div>
        </>
      )}
    </Section>
  );
}
