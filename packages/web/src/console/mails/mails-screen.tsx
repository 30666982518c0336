import { usePageData } from '../../ui/api/page-data.ts';
import { Button, ButtonLink } from '../../ui/form/button.tsx';
import { defineList } from '../list/define-list.tsx';
import { useWords } from '../text.ts';
import { Time } from '../ui/time.tsx';
import { MailError, MailStatus, STATUSES } from './mail-status.tsx';
import { RetryDialog } from './retry-dialog.tsx';
import { TestDialog } from './test-dialog.tsx';

/** The list of mails and their states. */
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
  columns: ({ words, wordsFor }) => [
    { head: words('mails.kind'), cell: ({ Kind }) => wordsFor('mails.kind', Kind), isClipped: true },
    { head: words('mails.to'), cell: ({ Email }) => Email ?? '–', isClipped: true },
    { head: words('mails.status'), cell: ({ Status }) => <MailStatus status={Status} /> },
    { head: words('mails.tries'), cell: ({ Tries }) => Tries, align: 'end' },
    { head: words('mails.error'), cell: ({ LastError }) => <MailError error={LastError} />, isClipped: true },
    { head: words('mails.created'), cell: ({ CreatedAt }) => <Time at={CreatedAt} /> },
    { head: words('mails.nextTry'), cell: ({ NextTryAt }) => <Time at={NextTryAt} /> },
  ],
  actions: ({ words, values, open }) => (
    <>
      <TemplatesLink />
      <Button onClick={() => open((close) => <RetryDialog email={values['email']} onClose={close} />)}>
        {words('mails.retryAll')}
      </Button>
      <Button kind="primary" onClick={() => open((close) => <TestDialog onClose={close} />)}>
        {words('mails.test')}
      </Button>
    </>
  ),
});

function TemplatesLink() {
  const words = useWords();
  const { Locale } = usePageData();
  return (
    <ButtonLink href={`/console/mails/templates?kind=invitation&locale=${Locale}`}>
      {words('mails.templates')}
    </ButtonLink>
  );
}
