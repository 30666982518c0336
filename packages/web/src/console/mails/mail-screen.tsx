import { useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { useConsole } from '../api/console-context.ts';
import { useAction } from '../api/use-action.ts';
import { useQuery, useRefresh } from '../api/use-query.ts';
import { useWords, useWordsFor } from '../text.ts';
import { Copy } from '../ui/copy.tsx';
import { useFilters } from '../ui/table/filters.ts';
import { Card, Facts, ScreenPage } from '../ui/layout/screen-page.tsx';
import { Loaded, ProblemBox } from '../ui/layout/state.tsx';
import { Time } from '../ui/time.tsx';
import { SentNote } from './sent-note.tsx';
import { MailError, MailStatus, type Mail } from './mail-status.tsx';

const EVERY_MS = 2_000;

/** One mail and its state. */
export function MailScreen() {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { params } = useRoute();
  const { values } = useFilters();
  const [isWaiting, setWaiting] = useState(true);
  const id = params['id'] ?? '';
  const result = useQuery('GET /admin/mail/{id}', { path: { id } }, isWaiting ? { everyMs: EVERY_MS } : {});
  const { data, problem } = result;
  // The mail is not listed before the mail worker has received it.
  const isOnItsWay = values['sent'] !== undefined && data === undefined && problem?.status === 404;
  const isStill = data ? data.Status === 'Pending' || data.Status === 'Retrying' : isOnItsWay;
  if (isWaiting !== isStill && (data !== undefined || problem !== undefined)) setWaiting(isStill);
  return (
    <ScreenPage
      title={data ? wordsFor('mails.kind', data.Kind) : words('mails.one')}
      badge={data && <MailStatus status={data.Status} />}
      actions={data?.Status === 'Parked' && <Retry id={id} />}
    >
      {isOnItsWay ? (
        <Notice meaning="information">{words('mails.onItsWay')}</Notice>
      ) : (
        <Loaded result={result}>
          {(mail) => (
            <>
              <MailFacts mail={mail} />
              {mail.Status === 'Sent' && <SentNote mail={mail} />}
            </>
          )}
        </Loaded>
      )}
      <p>
        <a href="/console/mails">{words('mails.all')}</a>
      </p>
    </ScreenPage>
  );
}

function MailFacts({ mail }: { mail: Mail }) {
  const words = useWords();
  const { Id, Email, Tries, LastError, NextTryAt, CreatedAt, SentAt, ParkedAt, TraceId } = mail;
  return (
    <Card title={words('mails.facts')}>
      <Facts
        rows={[
          [
            words('mails.to'),
            Email && (
              <a href={`/console/mails?${new URLSearchParams({ email: Email }).toString()}`}>{Email}</a>
            ),
          ],
          [words('mails.created'), <Time at={CreatedAt} exact />],
          [words('mails.sentAt'), <Time at={SentAt} exact />],
          [words('mails.parkedAt'), ParkedAt && <Time at={ParkedAt} exact />],
          [words('mails.tries'), Tries],
          [words('mails.nextTry'), <Time at={NextTryAt} />],
          [words('mails.error'), <MailError error={LastError} />],
          [words('mails.server'), LastError],
          [words('mails.id'), <Copy value={Id} label={words('mails.id')} />],
          [words('mails.trace'), TraceId && <Trace id={TraceId} />],
          [words('c.audit.title'), <a href={`/console/audit?targetId=${Id}`}>{words('mails.changes')}</a>],
        ]}
      />
    </Card>
  );
}

/** The trace id of the request that caused the mail, with links to its audit entries and to its other mails. */
function Trace({ id }: { id: string }) {
  const words = useWords();
  const query = new URLSearchParams({ traceId: id }).toString();
  return (
    <>
      <Copy value={id} label={words('mails.trace')} />
      <p>
        <a href={`/console/audit?${query}`}>{words('audit.sameTrace')}</a>
      </p>
      <p>
        <a href={`/console/mails?${query}`}>{words('mails.sameTrace')}</a>
      </p>
    </>
  );
}

/** A button that sends the mail again. */
function Retry({ id }: { id: string }) {
  const words = useWords();
  const { toast } = useConsole();
  const refresh = useRefresh();
  const { isBusy, problem, run } = useAction(
    'POST /admin/mail/{id}/retry',
    { path: { id } },
    async (isDone) => {
      if (isDone) toast(words('mails.retried'));
      await refresh('GET /admin/mail/{id}', 'GET /admin/mail');
    },
  );
  return (
    <>
      {problem && <ProblemBox problem={problem} />}
      <Button kind="primary" busy={isBusy} onClick={run}>
        {words('mails.retry')}
      </Button>
    </>
  );
}
