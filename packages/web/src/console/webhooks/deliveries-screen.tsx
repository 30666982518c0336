import { Button } from '../../ui/form/button.tsx';
import { defineList } from '../list/define-list.tsx';
import { DELIVERY_LIST } from './delivery-list.tsx';
import { RetryDialog } from './retry-dialog.tsx';

/** Deliveries to all webhooks and applications. */
export const DeliveriesScreen = defineList({
  ...DELIVERY_LIST,
  filters: [
    { name: 'webhookId', label: 'webhooks.id', isRare: true },
    { name: 'clientId', label: 'webhooks.clientId', isRare: true },
    ...(DELIVERY_LIST.filters ?? []),
  ],
  actions: ({ words, open }) => (
    <Button onClick={() => open((close) => <RetryDialog onClose={close} />)}>
      {words('webhooks.retryAll')}
    </Button>
  ),
});
