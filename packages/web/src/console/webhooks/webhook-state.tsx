import { useWords } from '../text.ts';
import { Badge } from '../ui/badge.tsx';
import type { Webhook } from './webhook.ts';

/** Whether a webhook gets events, and whether its receiver takes them. */
export function WebhookState({ webhook }: { webhook: Webhook }) {
  const words = useWords();
  if (webhook.DisabledReason !== null)
    return (
      <Badge meaning="danger">
        {words(webhook.DisabledReason === 'Gone' ? 'webhooks.state.gone' : 'webhooks.state.failed')}
      </Badge>
    );
  if (!webhook.IsEnabled) return <Badge meaning="neutral">{words('webhooks.state.disabled')}</Badge>;
  if (webhook.FailingSince !== null)
    return <Badge meaning="warning">{words('webhooks.state.failing')}</Badge>;
  return <Badge meaning="success">{words('webhooks.state.enabled')}</Badge>;
}
