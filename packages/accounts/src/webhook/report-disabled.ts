import { administrators, audit, inTransaction, outbox, webhooks } from '@gatehouse/db';
import { newMailEvent } from '@gatehouse/events';
import { NO_DEADLINE } from '@gatehouse/runtime';
import type { AccountsDeps } from '../deps.ts';

/**
 * Mails every administrator about the webhooks that the hook worker has disabled, and records it in the audit: the worker
 * itself knows no accounts. Must be called every few seconds.
 */
export async function reportDisabledWebhooks(
  deps: Pick<AccountsDeps, 'db' | 'relay' | 'seal'>,
): Promise<void> {
  const count = await inTransaction(deps.db, NO_DEADLINE, async (tx) => {
    const disabled = await webhooks.takeUnreported(tx);
    if (disabled.length === 0) return 0;
    const people = await administrators.findMailable(tx);
    const At = new Date().toISOString();
    for (const { id, name, disabledReason } of disabled) {
      const events = people.map(({ id: UserId, email, locale, displayName }) =>
        newMailEvent(
          deps.seal,
          'webhook.disabled',
          { UserId, WebhookId: id, ...(disabledReason && { Reason: disabledReason }) },
          {
            Email: email,
            Locale: locale,
            ...(displayName !== null && { DisplayName: displayName }),
            At,
            WebhookName: name,
          },
        ),
      );
      await outbox.add(tx, events);
      const target = { kind: 'Webhook', id } as const;
      const entry = { action: 'webhook.disabled', actor: { kind: 'System' }, target } as const;
      await audit.append(tx, [{ ...entry, details: { Reason: disabledReason } }], undefined);
    }
    return disabled.length;
  });
  if (count > 0) deps.relay.wake();
}
