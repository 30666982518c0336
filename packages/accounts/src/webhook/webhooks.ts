import { randomBytes } from 'node:crypto';
import {
  audit,
  hookDeliveries,
  inTransaction,
  outbox,
  webhooks,
  type Actor,
  type Transaction,
  type Webhook,
} from '@gatehouse/db';
import { newEvent, type SealHookSecret } from '@gatehouse/events';
import { v7 as newId } from 'uuid';
import type { AccountsDeps, Origin } from '../deps.ts';

/** Who changes a webhook. */
interface By {
  actor: Actor;
  origin: Origin;
}

/** A webhook and its secret, which only this result contains. */
export interface WebhookWithSecret {
  kind: 'created';
  webhook: Webhook;
  secret: string;
}

/** `sealHookSecret` is `undefined` where webhooks are off. */
type Deps = Pick<AccountsDeps, 'db'> & { sealHookSecret: SealHookSecret | undefined };

/** `off`: the installation runs no hook worker. */
export async function createWebhook(
  deps: Deps,
  wanted: Pick<Webhook, 'name' | 'url' | 'types'>,
  { actor, origin }: By,
): Promise<WebhookWithSecret | { kind: 'too_many' } | { kind: 'off' }> {
  if (deps.sealHookSecret === undefined) return { kind: 'off' };
  const id = newId();
  const { secret, sealed } = newSecret(deps.sealHookSecret, id);
  return await inTransaction(deps.db, origin, async (tx) => {
    if ((await webhooks.countForCreation(tx)) >= hookDeliveries.WEBHOOKS_MAX) return { kind: 'too_many' };
    const webhook = await webhooks.insert(tx, { id, ...wanted, secret: sealed });
    await write(tx, 'webhook.created', id, { actor, origin }, { Types: wanted.types });
    return { kind: 'created', webhook, secret };
  });
}

/** Changes a webhook; `undefined` if there is none with that id. Disabling it parks the deliveries that wait. */
export async function changeWebhook(
  deps: Pick<AccountsDeps, 'db'>,
  id: string,
  changes: { [N in 'name' | 'url' | 'types' | 'isEnabled']?: Webhook[N] | undefined },
  { actor, origin }: By,
): Promise<Webhook | undefined> {
  return await inTransaction(deps.db, origin, async (tx) => {
    const before = await webhooks.lock(tx, id);
    if (before === undefined) return undefined;
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    const webhook = await webhooks.change(tx, { ...before, ...given });
    if (!webhook.isEnabled && before.isEnabled) await hookDeliveries.parkWaiting(tx, id);
    const details = {
      Changed: Object.keys(given).map((name) => name.charAt(0).toUpperCase() + name.slice(1)),
      ...(changes.types && { Types: changes.types }),
      ...(changes.isEnabled !== undefined && { IsEnabled: changes.isEnabled }),
    };
    await write(tx, 'webhook.changed', id, { actor, origin }, details);
    return webhook;
  });
}

/** Deletes a webhook with its deliveries; `false` if there is none with that id. */
export async function deleteWebhook(deps: Pick<AccountsDeps, 'db'>, id: string, by: By): Promise<boolean> {
  return await inTransaction(deps.db, by.origin, async (tx) => {
    if (!(await webhooks.remove(tx, id))) return false;
    await write(tx, 'webhook.deleted', id, by);
    return true;
  });
}

/** For this time after a rotation, deliveries are signed with both secrets. */
const OVERLAP_SECONDS = 24 * 3600;

/** Gives a webhook another secret. */
export async function rotateWebhook(
  deps: Deps,
  id: string,
  by: By,
): Promise<WebhookWithSecret | { kind: 'unknown' } | { kind: 'off' }> {
  if (deps.sealHookSecret === undefined) return { kind: 'off' };
  const { secret, sealed } = newSecret(deps.sealHookSecret, id);
  return await inTransaction(deps.db, by.origin, async (tx) => {
    const webhook = await webhooks.rotate(tx, { id, secret: sealed, overlapSeconds: OVERLAP_SECONDS });
    if (webhook === undefined) return { kind: 'unknown' };
    await write(tx, 'webhook.rotated', id, by);
    return { kind: 'created', webhook, secret };
  });
}

/**
 * Sends a test event through the outbox, the broker and the hook worker to one webhook. Returns the id of the event, with
 * which its delivery can be found.
 */
export async function testWebhook(
  deps: Pick<AccountsDeps, 'db' | 'relay'>,
  id: string,
  by: By,
): Promise<{ kind: 'queued'; eventId: string } | { kind: 'unknown' } | { kind: 'disabled' }> {
  const result = await inTransaction(deps.db, by.origin, async (tx) => {
    const webhook = await webhooks.findById(tx, id);
    if (webhook === undefined) return { kind: 'unknown' } as const;
    if (!webhook.isEnabled) return { kind: 'disabled' } as const;
    const event = newEvent('webhook.test-requested', { WebhookId: id }, by.origin);
    await outbox.add(tx, [event]);
    await write(tx, 'webhook.tested', id, by);
    return { kind: 'queued', eventId: event.id } as const;
  });
  deps.relay.wake();
  return result;
}

function newSecret(seal: SealHookSecret, id: string) {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  return { secret, sealed: seal(id, secret) };
}

async function write(
  tx: Transaction,
  action: 'webhook.created' | 'webhook.changed' | 'webhook.deleted' | 'webhook.rotated' | 'webhook.tested',
  id: string,
  { actor, origin }: By,
  details?: Record<string, unknown>,
): Promise<void> {
  await audit.append(tx, [{ action, actor, target: { kind: 'Webhook', id }, details }], origin);
}
