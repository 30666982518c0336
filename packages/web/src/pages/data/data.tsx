import { useState } from 'preact/hooks';
import { call, type Problem } from '../../ui/api/api.ts';
import { usePageData } from '../../ui/api/page-data.ts';
import { problemText } from '../../ui/api/problem-text.ts';
import { Button, ButtonLink } from '../../ui/form/button.tsx';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { DeleteIcon, DownloadIcon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Row, Rows } from '../../ui/layout/row.tsx';
import { Step } from '../../ui/layout/step.tsx';
import { type MessageKey, useText } from '../../ui/locale/locale.ts';
import { saveFile } from '../../ui/save-file.ts';
import { Time } from '../../ui/time.tsx';
import { AccountPage } from '../account/account-page.tsx';
import { atField, type Profile, useSignedOut } from '../account/own-account.tsx';
import { ProofStep, useIdentityProof } from '../account/proof.tsx';
import { usePageState } from '../page-state.ts';
import { PATHS } from '../paths.ts';

/** Exports the data of the account, or erases the account. */
export function DataPage() {
  const text = useText();
  const [erasedAt, setErasedAt] = useState<string>();
  if (erasedAt !== undefined) return <Closed erasedAt={erasedAt} />;
  return (
    <AccountPage title={text('data.title')} lead={text('data.lead')}>
      {({ profile }) => (
        <Rows>
          <ExportRow profile={profile} />
          <ErasureRow profile={profile} onClosed={setErasedAt} />
        </Rows>
      )}
    </AccountPage>
  );
}

/** Shown after the account was closed and its session ended: only the link in the mail can restore it. */
function Closed({ erasedAt }: { erasedAt: string }) {
  const text = useText();
  const isLater = Date.parse(erasedAt) > Date.now();
  return (
    <Page title={text(isLater ? 'data.closed.title' : 'data.erased.title')}>
      {isLater ? (
        <>
          <p>
            {text('data.closed.on')} <Time at={erasedAt} />
          </p>
          <p>{text('data.closed.back')}</p>
        </>
      ) : (
        <p>{text('data.erased.lead')}</p>
      )}
      <ButtonLink href={PATHS.login} wide>
        {text('ways.login')}
      </ButtonLink>
    </Page>
  );
}

/** Saves a copy of all stored data of the account as a file. */
function ExportRow({ profile }: { profile: Profile }) {
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

interface ErasureRowProps {
  profile: Profile;
  /** Called when the account has been closed, with the time of its erasure. */
  onClosed: (erasedAt: string) => void;
}

/** Erases the account: its owner requests this, and confirms it with a code sent by mail. */
function ErasureRow({ profile, onClosed }: ErasureRowProps) {
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

interface ErasureCodeStepProps {
  email: string;
  /** Sends another code. */
  onAgain: () => Promise<void>;
  onClosed: (erasedAt: string) => void;
}

/** Asks for the code from the mail and for the final confirmation. */
function ErasureCodeStep({ email, onAgain, onClosed }: ErasureCodeStepProps) {
  const text = useText();
  const leave = useSignedOut();
  const { setLeaving } = usePageState();
  return (
    <Step title={text('data.code.title')} lead={text('data.code.lead', { email })}>
      <Form
        submit={text('data.code.submit')}
        kind="danger"
        explanations={{ conflict: 'data.erasure.conflict' }}
        onSubmit={async ({ Code }) => {
          setLeaving(true);
          const result = await call<{ ErasedAt: string }>('POST', '/account/erase', { Code });
          if (!result.ok) setLeaving(false);
          if (result.ok) onClosed(result.value.ErasedAt);
          else if (!leave(result.problem)) return atField(result.problem, { invalid_code: 'Code' });
          return undefined;
        }}
      >
        <Field name="Code" label={text('field.mailCode')} code autocomplete="one-time-code" required />
      </Form>
      <div>
        <Button kind="text" onClick={onAgain}>
          {text('data.code.again')}
        </Button>
      </div>
    </Step>
  );
}
