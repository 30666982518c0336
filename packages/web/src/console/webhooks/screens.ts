import type { Screen } from '../screen.ts';
import { DeliveriesScreen } from './deliveries-screen.tsx';
import { DeliveryScreen } from './delivery-screen.tsx';
import { WebhookScreen } from './webhook-screen.tsx';
import { WebhooksScreen } from './webhooks-screen.tsx';

export const webhookScreens: readonly Screen[] = [
  {
    path: '/webhooks',
    component: WebhooksScreen,
    nav: { label: 'c.webhooks.title', icon: 'webhooks', key: 'w' },
  },
  // Must precede `/webhooks/:id`. No webhook has the id "deliveries".
  { path: '/webhooks/deliveries', component: DeliveriesScreen },
  { path: '/webhooks/deliveries/:id', component: DeliveryScreen },
  { path: '/webhooks/:id', component: WebhookScreen },
];
