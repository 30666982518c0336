import { query, type Db, type Executor, type Transaction } from '../postgres/connect.ts';
import { ordered } from '../search/filters.ts';
import { defineList } from '../search/list.ts';

/** Why the hook worker has disabled a webhook: its receiver answered 410, or failed for days. */
export type DisabledReason = 'Gone' | 'Failing';

/** A webhook as administrators see it, without its secret. */
export interface Webhook {
  id: string;
  name: string;
  url: string;
  types: string[];
  isEnabled: boolean;
  /** Null if an administrator has disabled it, or if it is enabled. */
  disabledReason: DisabledReason | null;
  disabledAt: Date | null;
  /** The first failure since the last success; null if the last try succeeded. */
  failingSince: Date | null;
  /** Until when deliveries are signed with the former secret too. */
  formerSecretUntil: Date | null;
  createdAt: Date;
}

const COLUMNS = `id, name, url, types, is_enabled as "isEnabled", disabled_reason as "disabledReason",
  disabled_at as "disabledAt", failing_since as "failingSince",
  case when former_secret_until > now() then former_secret_until end as "formerSecretUntil", created_at as "createdAt"`;

/** The list of webhooks. */
export const { findNewest, rowsOf } = defineList<{ isEnabled?: boolean | undefined }, Webhook>({
  table: 'webhook',
  select: `select ${COLUMNS} from webhook`,
  filters: { isEnabled: ordered('is_enabled = :isEnabled') },
  sieved: [],
});

export async function findById(executor: Executor, id: string): Promise<Webhook | undefined> {
  const [row] = await query<Webhook>(executor, `select ${COLUMNS} from webhook where id = ?`, [id]);
  return row;
}

/** Locks a webhook until the transaction ends. */
export async function lock(tx: Transaction, id: string): Promise<Webhook | undefined> {
  const [row] = await query<Webhook>(tx, `select ${COLUMNS} from webhook where id = ? for update`, [id]);
  return row;
}

const CREATE_LOCK = 7_114_201_991;

/** The number of webhooks. Until the transaction ends, no other can create one. */
export async function countForCreation(tx: Transaction): Promise<number> {
  await query(tx, 'select pg_advisory_xact_lock(?)', [CREATE_LOCK]);
  const [row] = await query<{ count: number }>(tx, 'select count(*)::int as count from webhook');
  return row?.count ?? 0;
}

/** Adds a webhook with its encrypted secret. */
export async function insert(
  tx: Transaction,
  { id, name, url, types, secret }: Pick<Webhook, 'id' | 'name' | 'url' | 'types'> & { secret: string },
): Promise<Webhook> {
  const [row] = await query<Webhook>(
    tx,
    `insert into webhook (id, name, url, types, secret)
     values (?, ?, ?, cast(? as text[]), ?)
     returning ${COLUMNS}`,
    [id, name, url, types, secret],
  );
  if (row === undefined) throw new Error('an inserted row was not returned');
  return row;
}

/** Changes a webhook that the transaction has locked. Enabling it forgets why it was disabled and its failures; another address
 * forgets the failures too. */
export async function change(
  tx: Transaction,
  { id, name, url, types, isEnabled }: Pick<Webhook, 'id' | 'name' | 'url' | 'types' | 'isEnabled'>,
): Promise<Webhook> {
  const [row] = await query<Webhook>(
    tx,
    `update webhook
     set name = :name,
       url = :url,
       types = cast(:types as text[]),
       is_enabled = :isEnabled,
       disabled_reason = case when :isEnabled then null else disabled_reason end,
       disabled_at = case when :isEnabled then null else coalesce(disabled_at, now()) end,
       failing_since = case when (:isEnabled and not is_enabled) or url <> :url then null else failing_since end
     where id = :id
     returning ${COLUMNS}`,
    { id, name, url, types, isEnabled },
  );
  if (row === undefined) throw new Error('a locked row was not changed');
  return row;
}

/** Replaces the secret of a webhook; for `overlapSeconds` deliveries are signed with the former one too. */
export async function rotate(
  tx: Transaction,
  { id, secret, overlapSeconds }: { id: string; secret: string; overlapSeconds: number },
): Promise<Webhook | undefined> {
  const [row] = await query<Webhook>(
    tx,
    `update webhook
     set former_secret = secret,
       former_secret_until = now() + make_interval(secs => :overlapSeconds),
       secret = :secret
     where id = :id
     returning ${COLUMNS}`,
    { id, secret, overlapSeconds },
  );
  return row;
}

/** Deletes former secrets with which no delivery is signed any more. */
export async function deleteFormerSecrets(db: Db): Promise<void> {
  await query(
    db,
    'update webhook set former_secret = null, former_secret_until = null where former_secret_until <= now()',
  );
}

/** Deletes a webhook with its deliveries; `false` if there is none with that id. */
export async function remove(tx: Transaction, id: string): Promise<boolean> {
  const rows = await query(tx, 'delete from webhook where id = ? returning id', [id]);
  return rows.length === 1;
}

/** Takes the webhooks that the hook worker has disabled and that administrators have not been told about. */
export async function takeUnreported(
  tx: Transaction,
): Promise<Pick<Webhook, 'id' | 'name' | 'disabledReason'>[]> {
  return await query(
    tx,
    `update webhook
     set is_reported = true
     where id in (select id from webhook where not is_reported for update skip locked)
     returning id, name, disabled_reason as "disabledReason"`,
  );
}
