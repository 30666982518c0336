import { useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { Select } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { pageData } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import { INVITE, RESET } from '../account/actions.tsx';
import { type Account, type Input, useConsole, useQuery } from '../api/call-api.ts';
import { type Act, ActButton, Acts, actsOn, calls } from '../kit/act.tsx';
import { CountDialog } from '../kit/bulk.tsx';
import { text, TextField } from '../kit/fields.tsx';
import { defineList } from '../kit/list.tsx';
import { type Mail, MailStatus } from '../objects.tsx';
import { choicesOf, named, type TextKey, words, wordsFor } from '../text.ts';
import { FilterBar } from '../ui/filter-bar.tsx';
import { listAt, useFilters } from '../ui/filters.ts';
import { All, Card, FactsCard, Loaded, ScreenPage, Way } from '../ui/screen-page.tsx';
import { ago, at, changesOf, copied, Copy, None, Person, Preformatted, Time } from '../ui/values.tsx';
import styles from './templates.module.css';

function Trace({ id }: { id: string }) {
  return (
    <>
      <Copy value={id} label={words('state.trace')} />
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
  run: calls('POST /admin/mail/{id}/retry'),
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
      badge={data && <MailStatus of={data.Status} />}
      actions={data && <Acts acts={[RETRY]} row={data} />}
    >
      {isOnItsWay ? (
        <Notice meaning="information">{words('mails.onItsWay')}</Notice>
      ) : (
        <Loaded result={result}>
          {(mail) => (
            <>
              <FactsCard
                title="mails.facts"
                row={mail}
                facts={[
                  [
                    'mails.to',
                    ({ Email }) => Email && <a href={listAt('mails', { email: Email })}>{Email}</a>,
                  ],
                  at('fact.created', 'CreatedAt'),
                  at('mails.sentAt', 'SentAt'),
                  ['mails.parkedAt', ({ ParkedAt }) => ParkedAt && <Time at={ParkedAt} exact />],
                  ['mails.tries', ({ Tries }) => Tries],
                  ago('mails.nextTry', 'NextTryAt'),
                  ['mails.error', ({ LastError }) => <MailError error={LastError} />],
                  ['mails.server', ({ LastError }) => LastError],
                  copied('mails.id', 'Id'),
                  ['state.trace', ({ TraceId }) => TraceId && <Trace id={TraceId} />],
                  changesOf('mails.changes'),
                ]}
              />
              {mail.Status === 'Sent' && <SentNote mail={mail} />}
            </>
          )}
        </Loaded>
      )}
      <All texts="mails" />
    </ScreenPage>
  );
}

const ANEW: Partial<Record<Mail['Kind'], Act<Account>>> = {
  'password-reset': RESET,
  'account-invitation': INVITE,
};

/** Messages of mail servers (their codes of RFC 3463, or their words), and explanations. The first match counts. */
const ERRORS: readonly (readonly [RegExp, TextKey])[] = [
  [/no longer valid/i, 'mails.error.dead'],
  [/cannot be opened/i, 'mails.error.sealed'],
  [/\b5\.1\.[0-36]\b|no such (?:mailbox|user)|user unknown|unknown user/i, 'mails.error.noMailbox'],
  [/\b[45]\.2\.2\b|mailbox full|over quota/i, 'mails.error.full'],
  [/\b5\.7\.\d|spam|blocked|blacklist/i, 'mails.error.refused'],
  [/\b535\b|\b530\b|authentication/i, 'mails.error.login'],
  [/econnrefused|enotfound|etimedout|econnreset|timed? ?out|greeting/i, 'mails.error.away'],
  [/^4\d\d\b|\b4\.\d\.\d\b/, 'mails.error.busy'],
  [/^5\d\d\b/, 'mails.error.refused'],
];

function MailError({ error }: { error: string | null }) {
  if (error === null) return <None />;
  const meaning = ERRORS.find(([sign]) => sign.test(error))?.[1];
  return <span title={error}>{meaning ? words(meaning) : error}</span>;
}

function SentNote({ mail: { Kind, Email } }: { mail: Mail }) {
  const action = ANEW[Kind];
  return (
    <Card title={words('mails.again')}>
      <p>{words('mails.again.why')}</p>
      {Email !== null && action !== undefined && <NewMail email={Email} action={action} />}
      {Email !== null && Kind === 'invitation' && (
        <div>
          <Way href={listAt('invitations', { email: Email })} label="mails.again.invitations" />
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

function OwnEmail() {
  const { Email } = useConsole().me.Account;
  return <TextField name="Email" type="email" label="field.email" defaultValue={Email} required />;
}

/** Sends a test mail through the outbox, the mail worker and the mail server, and opens the screen with its status. */
const TEST = actsOn<undefined>()({
  label: 'mails.test',
  button: 'button',
  kind: 'primary',
  fields: [{ ...text('Email', 'field.email'), Show: OwnEmail }],
  run: (callApi, _, body) => callApi('POST /admin/mail/test', { body }),
  next: ({ Id }) => `/console/mails/${Id}?sent=1`,
});

export const MailsScreen = defineList({
  operation: 'GET /admin/mail',
  caption: 'c.mails.title',
  none: 'mails.none',
  hrefOf: ({ Id }) => `/console/mails/${Id}`,
  filters: [
    { name: 'status', label: 'fact.state', texts: 'mails.status' },
    { name: 'email', label: 'mails.to', type: 'search' },
    { name: 'finishedFrom', label: 'mails.finishedFrom', type: 'datetime-local', isRare: true },
    { name: 'finishedTo', label: 'mails.finishedTo', type: 'datetime-local', isRare: true },
    { name: 'traceId', label: 'state.trace', isRare: true },
  ],
  columns: [
    ['fact.kind', ({ Kind }) => wordsFor('mails.kind', Kind), 'clipped'],
    ['mails.to', ({ Email }) => Email && <Person email={Email} />, 'clipped'],
    ['fact.state', ({ Status }) => <MailStatus of={Status} />],
    ['mails.tries', ({ Tries }) => Tries, 'end'],
    ['mails.error', ({ LastError }) => <MailError error={LastError} />, 'clipped'],
    ago('fact.created', 'CreatedAt'),
    ago('mails.nextTry', 'NextTryAt'),
  ],
  actions: () => (
    <Way
      href={listAt('mails/templates', { kind: 'invitation', locale: pageData.Locale })}
      label="mails.templates"
    />
  ),
  acts: [{ label: 'mails.retryAll', button: 'button', Part: RetryDialog }, TEST],
});

type Filter = NonNullable<Input<'POST /admin/mail/retry'>['body']>['Filter'];

function RetryDialog({ onClose }: { onClose: () => void }) {
  const { email } = useFilters().values;
  const [isEmpty, setEmpty] = useState(false);
  return (
    <CountDialog<Filter>
      texts="mails.retryAll"
      form={(look, tooMany) => (
        <>
          <p>{words('mails.retryAll.lead')}</p>
          {isEmpty ? <Notice meaning="danger">{words('mails.retryAll.empty')}</Notice> : tooMany}
          <Form
            submit={words('mails.retryAll.preview')}
            onSubmit={async (values) => {
              const given = Object.entries(values).filter(([, value]) => value.trim() !== '');
              setEmpty(given.length === 0);
              // The form fields have the names of the API.
              return given.length === 0 ? undefined : look(Object.fromEntries(given));
            }}
          >
            <Select
              name="Kind"
              label={words('fact.kind')}
              defaultValue=""
              options={[{ value: '', words: words('mails.anyKind') }, ...mailKinds()]}
            />
            <TextField name="Email" label="mails.to" defaultValue={email} />
            <TextField name="Error" label="mails.server" />
          </Form>
        </>
      )}
      send={(callApi, body) => callApi('POST /admin/mail/retry', { body })}
      kind="primary"
      onClose={onClose}
    />
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
          { name: 'kind', label: 'fact.kind', options: kinds },
          {
            name: 'locale',
            label: 'account.language',
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
      <All texts="mails" />
    </ScreenPage>
  );
}

function Source({ title, source, lang }: { title: string; source: string; lang?: string }) {
  return (
    <details>
      <summary>{title}</summary>
      <Preformatted look="wrapped" label={title} text={source} lang={lang} />
    </details>
  );
}
