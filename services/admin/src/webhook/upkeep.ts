import { write, type AccountsDeps } from '@gatehouse/accounts';
import { administrators, query, type Db } from '@gatehouse/db';
import { newMailEvent } from '@gatehouse/events';

/** Deletes former secrets with which no delivery is signed any more. */
export async function deleteFormerSecrets(db: Db): Promise<void> {
  await query(
    db,
    'update webhook set former_secret = null, former_secret_until = null where former_secret_until <= now()',
  );
}

/**
 * Mails every administrator about the webhooks that the hook worker has disabled, and records it in the audit: the worker
 * itself knows no accounts. Must be called every few seconds.
 */
export async function reportDisabledWebhooks(deps: AccountsDeps): Promise<void> {
  const At = new Date().toISOString();
  await write(deps, { actor: { kind: 'System' }, target: { kind: 'Webhook', id: undefined } }, async (tx) => {
    const disabled = await query<{ id: string; name: string; disabledReason: 'Gone' | 'Failing' | null }>(
      tx,
      `update webhook
       set is_reported = true
       where id in (select id from webhook where not is_reported for update skip locked)
       returning id, name, disabled_reason as "disabledReason"`,
    );
    const people = disabled.length === 0 ? [] : await administrators.findMailable(tx);
    for (const { id, name, disabledReason } of disabled) {
      tx.audit('webhook.disabled', { Reason: disabledReason }, id);
      const facts = { WebhookId: id, ...(disabledReason && { Reason: disabledReason }) };
      for (const { id: UserId, email, locale, displayName } of people) {
        const named = displayName === null ? {} : { DisplayName: displayName };
        const content = { Email: email, Locale: locale, ...named, At, WebhookName: name };
        tx.event(newMailEvent(deps.seal, 'webhook.disabled', { UserId, ...facts }, content));
      }
    }
  });
}
