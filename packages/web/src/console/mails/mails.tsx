import { useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import type { Problem } from '../../ui/api.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/fields.tsx';
import { type FieldValues, Form } from '../../ui/form.tsx';
import { pageData } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import type { Account } from '../account/account.ts';
import { INVITE, RESET } from '../account/actions.tsx';
import { type Input, type Me, useConsole, useQuery } from '../api/call-api.ts';
import { type Act, ActButton, Acts, actsOn, All, FactsCard } from '../kit/act.tsx';
import { CountDialog, type Look } from '../kit/bulk.tsx';
import { text } from '../kit/fields.tsx';
import { defineList } from '../kit/list.tsx';
import { choicesOf, named, words, wordsFor } from '../text.ts';
import { FilterBar } from '../ui/filter-bar.tsx';
import { listAt, useFilters } from '../ui/filters.ts';
import { Card, Loaded, ScreenPage } from '../ui/screen-page.tsx';
import { ago, at, changesOf, copied, Copy, type Fact, Person, Time } from '../ui/values.tsx';
import { type Mail, MailError, MailStatus, STATUSES } from './mail-status.tsx';
import styles from './templates.module.css';

const FACTS: readonly Fact<Mail>[] = [
  ['mails.to', ({ Email }) => Email && <a href={listAt('mails', { email: Email })}>{Email}</a>],
  at('mails.created', 'CreatedAt'),
  at('mails.sentAt', 'SentAt'),
  ['mails.parkedAt', ({ ParkedAt }) => ParkedAt && <Time at={ParkedAt} exact />],
  ['mails.tries', ({ Tries }) => Tries],
  ago('mails.nextTry', 'NextTryAt'),
  ['mails.error', ({ LastError }) => <MailError error={LastError} />],
  ['mails.server', ({ LastError }) => LastError],
  copied('mails.id', 'Id'),
  ['mails.trace', ({ TraceId }) => TraceId && <Trace id={TraceId} />],
  changesOf('mails.changes'),
];

function Trace({ id }: { id: string }) {
  return (
    <>
      <Copy value={id} label={words('mails.trace')} />
      <p>
        <a href={`/console/audit?traceId=${id}`}>{words('audit.sameTrace')}</a>
      </p>
      <p>
        <a href={`/console/mails?traceId=${id}`}>{words('mails.sameTrace')}</a>
      </p>
    </>
  );
}

const RETRY = actsOn<Mail>()({
  label: 'mails.retry',
  button: 'at once',
  kind: 'primary',
  if: ({ Status }) => Status === 'Parked',
  run: (callApi, { Id }) => callApi('POST /admin/mail/{id}/retry', { path: { id: Id } }),
});

const EVERY_MS = 2_000;

export function MailScreen() {
  const { params } = useRoute();
  const { values } = useFilters();
  const [isWaiting, setWaiting] = useState(true);
  const input = { path: { id: params['id'] ?? '' } };
  const result = useQuery('GET /admin/mail/{id}', input, isWaiting ? { everyMs: EVERY_MS } : {});
  const { data, problem } = result;
  // The mail is not listed before the mail worker has received it.
  const isOnItsWay = values['sent'] !== undefined && data === undefined && problem?.status === 404;
  const isStill = data ? data.Status === 'Pending' || data.Status === 'Retrying' : isOnItsWay;
  if (isWaiting !== isStill && (data !== undefined || problem !== undefined)) setWaiting(isStill);
  return (
    <ScreenPage
      title={data ? wordsFor('mails.kind', data.Kind) : words('mails.one')}
      badge={data && <MailStatus status={data.Status} />}
      actions={data && <Acts acts={[RETRY]} row={data} />}
    >
      {isOnItsWay ? (
        <Notice meaning="information">{words('mails.onItsWay')}</Notice>
      ) : (
        <Loaded result={result}>
          {(mail) => (
            <>
              <FactsCard title={words('mails.facts')} facts={FACTS} row={mail} />
              {mail.Status === 'Sent' && <SentNote mail={mail} />}
            </>
          )}
        </Loaded>
      )}
      <All path="mails" label="mails.all" />
    </ScreenPage>
  );
}

/** The kinds of mails that an administrator can have made anew, and the action on the account that does so. */
const ANEW: Partial<Record<Mail['Kind'], Act<Account>>> = {
  'password-reset': RESET,
  'account-invitation': INVITE,
};

/** Says why a sent mail cannot be sent again, and offers what makes a new one. */
function SentNote({ mail: { Kind, Email } }: { mail: Mail }) {
  const action = ANEW[Kind];
  return (
    <Card title={words('mails.again')}>
      <p>{words('mails.again.why')}</p>
      {Email !== null && action !== undefined && <NewMail email={Email} action={action} />}
      {Email !== null && Kind === 'invitation' && (
        <div>
          <ButtonLink href={listAt('invitations', { email: Email })}>
            {words('mails.again.invitations')}
          </ButtonLink>
        </div>
      )}
    </Card>
  );
}

function NewMail({ email, action }: { email: string; action: Act<Account> }) {
  const { me } = useConsole();
  const [account] = useQuery('GET /admin/account', { query: { email } }).data?.Items ?? [];
  if (account === undefined || action.if?.(account, me) === false) return null;
  return (
    <div>
      <ActButton act={action} row={account} />
    </div>
  );
}

const TEST_FIELDS = [
  text('Email', { label: 'field.email', type: 'email', initial: (me: Me) => me.Account.Email }),
] as const;

/** Sends a test mail through the outbox, the mail worker and the mail server, and opens the screen with its status. */
const TEST = actsOn<Me>()({
  label: 'mails.test',
  button: 'button',
  kind: 'primary',
  fields: TEST_FIELDS,
  run: (callApi, _, body) => callApi('POST /admin/mail/test', { body }),
  next: ({ Id }) => `/console/mails/${Id}?sent=1`,
});

export const MailsScreen = defineList({
  operation: 'GET /admin/mail',
  caption: 'c.mails.title',
  none: 'mails.none',
  hrefOf: ({ Id }) => `/console/mails/${Id}`,
  filters: [
    { name: 'status', label: 'mails.status', options: STATUSES, texts: 'mails.status' },
    { name: 'email', label: 'mails.to', type: 'search' },
    { name: 'finishedFrom', label: 'mails.finishedFrom', type: 'datetime-local', isRare: true },
    { name: 'finishedTo', label: 'mails.finishedTo', type: 'datetime-local', isRare: true },
    { name: 'traceId', label: 'mails.trace', isRare: true },
  ],
  columns: [
    ['mails.kind', ({ Kind }) => wordsFor('mails.kind', Kind), 'clipped'],
    ['mails.to', ({ Email }) => Email && <Person email={Email} />, 'clipped'],
    ['mails.status', ({ Status }) => <MailStatus status={Status} />],
    ['mails.tries', ({ Tries }) => Tries, 'end'],
    ['mails.error', ({ LastError }) => <MailError error={LastError} />, 'clipped'],
    ago('mails.created', 'CreatedAt'),
    ago('mails.nextTry', 'NextTryAt'),
  ],
  actions: ({ values, open }) => (
    <>
      <ButtonLink href={`/console/mails/templates?kind=invitation&locale=${pageData.Locale}`}>
        {words('mails.templates')}
      </ButtonLink>
      <Button onClick={() => open((close) => <RetryDialog email={values['email']} onClose={close} />)}>
        {words('mails.retryAll')}
      </Button>
      <TestButton />
    </>
  ),
});

function TestButton() {
  return <Acts acts={[TEST]} row={useConsole().me} />;
}

type Filter = NonNullable<Input<'POST /admin/mail/retry'>['body']>['Filter'];

/** Sends all matching parked mails again, after a preview with their number. */
function RetryDialog({ email, onClose }: { email: string | undefined; onClose: () => void }) {
  return (
    <CountDialog<Filter>
      texts="mails.retryAll"
      form={(look, conflict) => <FilterForm email={email} conflict={conflict} onSubmit={look} />}
      send={(callApi, body) => callApi('POST /admin/mail/retry', { body })}
      kind="primary"
      onClose={onClose}
    />
  );
}

interface FilterFormProps {
  email: string | undefined;
  conflict: Problem | undefined;
  onSubmit: Look<Filter>;
}

function FilterForm({ email = '', conflict, onSubmit }: FilterFormProps) {
  const kinds = mailKinds();
  const [isEmpty, setEmpty] = useState(false);
  const submit = async (values: FieldValues): Promise<Problem | undefined> => {
    const given = Object.entries(values).filter(([, value]) => value.trim() !== '');
    setEmpty(given.length === 0);
    // The form fields have the names of the API.
    return given.length === 0 ? undefined : onSubmit(Object.fromEntries(given));
  };
  return (
    <>
      <p>{words('mails.retryAll.lead')}</p>
      {(isEmpty || conflict) && (
        <Notice meaning="danger">{words(isEmpty ? 'mails.retryAll.empty' : 'mails.retryAll.tooMany')}</Notice>
      )}
      <Form submit={words('mails.retryAll.preview')} onSubmit={submit}>
        <Select
          name="Kind"
          label={words('mails.kind')}
          defaultValue=""
          options={[{ value: '', words: words('mails.anyKind') }, ...kinds]}
        />
        <Field name="Email" label={words('mails.to')} autocomplete="off" defaultValue={email} />
        <Field
          name="Error"
          label={words('mails.server')}
          hint={words('mails.server.hint')}
          autocomplete="off"
        />
      </Form>
    </>
  );
}

type MailKind = NonNullable<Input<'GET /admin/mail-template/{kind}'>['path']>['kind'];

/** Every kind of mail, with its name in the reader's language. Admin adds these names to the texts of the page. */
const mailKinds = () => choicesOf('mails.kind', named('mails.kind'));

/** Every mail in every language as it looks, with example data. Its HTML is in a frame that can run and load nothing. */
export function TemplatesScreen() {
  const kinds = mailKinds();
  const { Locale, Locales } = pageData;
  const { values } = useFilters();
  const chosen = kinds.find(({ value }) => value === values['kind'])?.value ?? 'invitation';
  const kind = chosen as MailKind; // Admin adds one text for each kind
  const locale = values['locale'] ?? Locale;
  const result = useQuery('GET /admin/mail-template/{kind}', { path: { kind }, query: { locale } });
  const languages = new Intl.DisplayNames(Locale, { type: 'language' });
  return (
    <ScreenPage title={words('mails.templates')}>
      <p>{words('mails.templates.lead')}</p>
      <FilterBar
        isFixed
        filters={[
          { name: 'kind', label: 'mails.kind', options: kinds },
          {
            name: 'locale',
            label: 'mails.language',
            options: Locales.map((value) => ({ value, words: languages.of(value) ?? value })),
          },
        ]}
      />
      <Loaded result={result}>
        {({ Subject, Text, Html }) => (
          <Card title={Subject}>
            <iframe
              class={styles['look']}
              sandbox=""
              title={words('mails.look')}
              src={`/admin/mail-template/${kind}/page?${new URLSearchParams({ locale }).toString()}`}
            />
            <Source title={words('mails.text')} lang={locale} source={Text} />
            <Source title={words('mails.html')} source={Html} />
          </Card>
        )}
      </Loaded>
      <All path="mails" label="mails.all" />
    </ScreenPage>
  );
}

function Source({ title, source, lang }: { title: string; source: string; lang?: string }) {
  return (
    <details>
      <summary>{title}</summary>
      <pre class={styles['text']} lang={lang} tabIndex={0} role="region" aria-label={title}>
        {source}
      </pre>
    </details>
  );
}
