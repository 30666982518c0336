import { Button, ButtonLink } from '../../ui/form/button.tsx';
import { defineList } from '../list/define-list.tsx';
import { Icon } from '../ui/icon.tsx';
import { Time } from '../ui/time.tsx';
import { CreateDialog } from './create-dialog.tsx';
import { WebhookState } from './webhook-state.tsx';

/** The webhooks that events are posted to. */
export const WebhooksScreen = defineList({
  operation: 'GET /admin/webhook',
  caption: 'c.webhooks.title',
  none: 'webhooks.none',
  first: (words) => <p>{words('webhooks.none.lead')}</p>,
  columns: ({ words }) => [
    {
      head: words('webhooks.name'),
      cell: ({ Id, Name }) => <a href={`/console/webhooks/${Id}`}>{Name}</a>,
      isClipped: true,
    },
    { head: words('webhooks.state'), cell: (webhook) => <WebhookState webhook={webhook} /> },
    { head: words('webhooks.url'), cell: ({ Url }) => Url, isClipped: true },
    { head: words('webhooks.types'), cell: ({ Types }) => Types.join(', '), isClipped: true },
    { head: words('webhooks.created'), cell: ({ CreatedAt }) => <Time at={CreatedAt} /> },
  ],
  actions: ({ words, open }) => (
    <>
      <ButtonLink href="/console/webhooks/deliveries">{words('webhooks.deliveries')}</ButtonLink>
      <Button
        kind="primary"
        icon={<Icon name="plus" />}
        onClick={() => open((close) => <CreateDialog onClose={close} />)}
      >
        {words('webhooks.create')}
      </Button>
    </>
  ),
});
