import { useState } from 'preact/hooks';
import { saveFile } from '../../ui/browser.ts';
import { ButtonLink, TextButton } from '../../ui/button.tsx';
import { Form } from '../../ui/form.tsx';
import { type MessageKey, pageData, text } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import { Page, Step } from '../../ui/page.tsx';
import { Rows } from '../../ui/row.tsx';
import { When } from '../../ui/time.tsx';
import { AccountPage, useAccount, useOwnCall } from '../account/own-account.tsx';
import { ProvenRow, useProven } from '../account/proof.tsx';
import { PATHS, usePage } from '../page.ts';
import { MailedCodeField } from '../parts.tsx';

export function DataPage() {
  const [erasedAt, setErasedAt] = useState<string>();
  if (erasedAt !== undefined) return <Closed erasedAt={erasedAt} />;
  return (
    <AccountPage title={text('data.title')} lead={text('data.lead')}>
      <Rows>
        <ExportRow />
        <ErasureRow onClosed={setErasedAt} />
      </Rows>
    </AccountPage>
  );
}

/** Shown after the account was closed and its session ended: only the link in the mail can restore it. */
function Closed({ erasedAt }: { erasedAt: string }) {
  const isLater = Date.parse(erasedAt) > Date.now();
  return (
    <Page title={text(isLater ? 'data.closed.title' : 'data.erased.title')}>
      {isLater ? (
        <>
          <p>
            <When words="data.closed.on" at={erasedAt} />
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

function ExportRow() {
  const [isDone, setDone] = useState(false);
  const proven = useProven();
  const download = (): Promise<void> => {
    setDone(false);
    return proven.press('POST /account/export', {}, (data) => {
      saveFile('account.json', 'application/json', `${JSON.stringify(data, undefined, 2)}\n`);
      setDone(true);
    });
  };
  return (
    <ProvenRow
      proven={proven}
      proof="data.export.proof"
      icon="download"
      title={text('data.export.title')}
      state={text('data.export.lead')}
      isLong
      action={{ words: text('data.export.submit'), onPress: download }}
      notice={isDone && <Notice meaning="success">{text('data.export.done')}</Notice>}
    />
  );
}

type OnClosed = (erasedAt: string) => void;

/** Erases the account: its owner requests this, and confirms it with a code sent by mail. */
function ErasureRow({ onClosed }: { onClosed: OnClosed }) {
  const ownCall = useOwnCall();
  const { EraseAfterDays: days } = pageData;
  const proven = useProven();
  const ask = () =>
    proven.attempt(async (proof) => {
      const refusal = await ownCall('POST /account/erase', proof, proven.open);
      if (refusal !== undefined) proven.close();
      return refusal;
    });
  return (
    <ProvenRow
      proven={proven}
      proof="data.erasure.proof"
      explanations={CONFLICT}
      icon="delete"
      title={text('data.erasure.title')}
      state={`${text('data.erasure.lead')} ${text(afterOf(days), { days })}`}
      isLong
      action={{ words: text('data.erasure.begin'), kind: 'danger', onPress: ask }}
    >
      <ErasureCodeStep onAgain={ask} onClosed={onClosed} />
    </ProvenRow>
  );
}

const CONFLICT = { conflict: 'data.erasure.conflict' } as const;

/** Says for how long the owner can change their mind. */
function afterOf(days: number): MessageKey {
  if (days === 0) return 'data.erasure.now';
  return days === 1 ? 'data.erasure.day' : 'data.erasure.days';
}

function ErasureCodeStep({ onAgain, onClosed }: { onAgain: () => Promise<void>; onClosed: OnClosed }) {
  const ownCall = useOwnCall();
  const { Email: email } = useAccount().profile;
  const { set } = usePage();
  return (
    <Step title={text('data.code.title')} lead={text('data.code.lead', { email })}>
      <Form
        submit={text('data.code.submit')}
        kind="danger"
        explanations={CONFLICT}
        at={{ invalid_code: 'Code' }}
        onSubmit={async (body) => {
          set({ isLeaving: true });
          const close = ({ ErasedAt }: { ErasedAt: string }): void => onClosed(ErasedAt);
          const refusal = await ownCall('POST /account/erase', body, close);
          if (refusal !== undefined) set({ isLeaving: false });
          return refusal;
        }}
      >
        <MailedCodeField />
      </Form>
      <div>
        <TextButton words={text('data.code.again')} onPress={onAgain} />
      </div>
    </Step>
  );
}
