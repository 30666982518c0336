import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Select } from '../../ui/form/select.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import type { Answer, Input } from '../api/call-api.ts';
import { BulkDialog } from '../bulk/bulk-dialog.tsx';
import { useQuery } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { SHOWING_WEBHOOKS } from './webhook.ts';

type Filter = NonNullable<Input<'POST /admin/hook-delivery/retry'>['body']>['Filter'];
type Retried = Answer<'POST /admin/hook-delivery/retry'>;

/** Sends the parked deliveries of a webhook again, after a preview with their number. */
export function RetryDialog({ onClose }: { onClose: () => void }) {
  const words = useWords();
  const webhooks = useQuery('GET /admin/webhook', { query: { limit: 50 } }).data?.Items ?? [];
  return (
    <BulkDialog<Filter, Retried>
      title={words('webhooks.retryAll')}
      form={(look, conflict) => (
        <>
          <p>{words('webhooks.retryAll.lead')}</p>
          {conflict && <Notice meaning="danger">{words('webhooks.retryAll.tooMany')}</Notice>}
          <Form
            submit={words('webhooks.retryAll.preview')}
            onSubmit={({ WebhookId = '', From = '' }) =>
              look({ WebhookId, ...(From !== '' && { From: new Date(From).toISOString() }) })
            }
          >
            <Select
              key={webhooks.length}
              name="WebhookId"
              label={words('webhooks.one')}
              defaultValue={webhooks[0]?.Id ?? ''}
              options={webhooks.map(({ Id, Name }) => ({ value: Id, words: Name }))}
            />
            <Field name="From" label={words('webhooks.from')} type="datetime-local" />
          </Form>
        </>
      )}
      send={(callApi, filter, preview) =>
        callApi('POST /admin/hook-delivery/retry', {
          body: { Filter: filter, ...(!preview && { DryRun: true }) },
        })
      }
      refreshes={SHOWING_WEBHOOKS}
      lead={({ Count: count, Skipped }) => (
        <Notice meaning={count === 0 ? 'information' : 'warning'}>
          <p>{words(count === 0 ? 'webhooks.retryAll.none' : 'webhooks.retryAll.count', { count })}</p>
          {Skipped > 0 && <p>{words('webhooks.retryAll.skipped', { count: Skipped })}</p>}
        </Notice>
      )}
      backLabel={words('mails.retryAll.back')}
      kind="primary"
      action={(count) => words('webhooks.retryAll.submit', { count })}
      message={({ Count: count }) => words('webhooks.retryAll.done', { count })}
      onClose={onClose}
    />
  );
}
