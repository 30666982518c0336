import type { Account } from './accounts.ts';
import { query, type Executor } from '../postgres/connect.ts';

/** Which accounts a list shows. */
export interface AccountFilter {
  /** A part of the email or the name, whatever the case. */
  search?: string | undefined;
  role?: Account['role'] | undefined;
  /** The key of the whole email. */
  emailKey?: string | undefined;
  /** What the next login with the right password would be answered with. */
  loginStatus?: number | undefined;
}

/** Ids of accounts, newest first; `goOnBehind` where it was left off to keep the work bounded. */
export interface Found {
  ids: string[];
  goOnBehind: string | undefined;
}

const IS_ENABLED = 'not is_disabled and (expires_at is null or expires_at > now())';
const IS_VERIFIED = `${IS_ENABLED} and signup = 'complete' and email_verified_at is not null`;
const IS_OPEN = `${IS_VERIFIED} and not new_password_required`;
const HAS_TWO_FACTOR =
  'exists (select 1 from two_factor where account_id = account.id and enabled_at is not null)';

/**
 * The login statuses as conditions, in the order of precedence that `conditionOf` of packages/accounts has. In
 * words that the partial indexes of the table are made for, which is why they are not parameters.
 */
const IS_IN_STATUS: Record<number, string> = {
  1: `${IS_OPEN} and two_factor_required and not ${HAS_TWO_FACTOR}`,
  2: `${IS_OPEN} and ${HAS_TWO_FACTOR}`,
  3: 'is_disabled',
  4: `${IS_ENABLED} and signup = 'complete' and email_verified_at is null`,
  5: `${IS_ENABLED} and signup = 'new'`,
  6: `${IS_ENABLED} and signup = 'migration'`,
  7: `${IS_VERIFIED} and new_password_required`,
  8: 'not is_disabled and expires_at <= now()',
  9: `${IS_ENABLED} and signup = 'invitation'`,
};

const SEARCHED = `lower(email || ' ' || coalesce(display_name, ''))`;

/**
 * How many of the newest accounts a search looks through before it asks the index (`near`), and how many where the
 * index is of no use (`far`); what has more matches than `rare` is common enough to be come across.
 */
const BOUNDS = { near: 2000, far: 50_000, rare: 10_000 };

/**
 * Up to `max` of the accounts that fit, newest first, from behind `beforeId` on, for much the same work however
 * many accounts there are. The index of what is searched knows no order, and the order knows nothing of what is
 * searched; so whatever is common is found among the newest, whatever is rare by the index, and of what is common
 * among the old alone a page may hold few, with the place to go on from.
 */
export async function findNewest(
  executor: Executor,
  filter: AccountFilter,
  page: { beforeId: string | undefined; max: number },
  bounds = BOUNDS,
): Promise<Found> {
  const { beforeId = LAST_ID, max } = page;
  const wanted = { where: whereOf(filter), role: filter.role, emailKey: filter.emailKey, max };
  if (filter.search === undefined) {
    const sql = `select id from account where ${wanted.where} order by id desc limit :max`;
    const rows = await query<{ id: string }>(executor, sql, { ...wanted, beforeId });
    return { ids: rows.map(({ id }) => id), goOnBehind: undefined };
  }
  const search = matching(filter.search);
  const near = await lookThrough(executor, { ...wanted, beforeId, search, size: bounds.near });
  if (near.last === undefined || near.ids.length === max) return { ids: near.ids, goOnBehind: undefined };

  const behind = { ...wanted, beforeId: near.last, search, max: max - near.ids.length };
  const rare = search.isIndexed ? await findRare(executor, behind, bounds.rare) : undefined;
  if (rare !== undefined) return { ids: [...near.ids, ...rare], goOnBehind: undefined };
  const far = await lookThrough(executor, { ...behind, size: bounds.far });
  const isFull = far.ids.length === behind.max;
  return { ids: [...near.ids, ...far.ids], goOnBehind: isFull ? undefined : far.last };
}

/** Identifiers of version 7 are ordered by their time; this one is behind all of them. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

function whereOf({ role, emailKey, loginStatus }: AccountFilter): string {
  const conditions = ['id < :beforeId'];
  if (role !== undefined) conditions.push('role = :role');
  if (emailKey !== undefined) conditions.push('email_key = :emailKey');
  if (loginStatus !== undefined) conditions.push(IS_IN_STATUS[loginStatus] ?? 'false');
  return conditions.join(' and ');
}

/** How text is searched; the index is one of three characters, so that fewer are looked for where a word begins. */
function matching(text: string) {
  const part = text.replaceAll(/[\\%_]/g, String.raw`\$&`);
  const isShort = Array.from(text).length < 3;
  const condition = (searched: string): string =>
    isShort
      ? `(${searched} like lower(:part || '%') or ${searched} like lower('% ' || :part || '%'))`
      : `${searched} like lower('%' || :part || '%')`;
  return { part, condition, isIndexed: (isShort ? /[\p{L}\p{N}]/u : /[\p{L}\p{N}]{3}/u).test(text) };
}

interface Wanted {
  where: string;
  role: Account['role'] | undefined;
  emailKey: string | undefined;
  beforeId: string;
  max: number;
  search: ReturnType<typeof matching>;
}

/** Looks through the newest `size` for what is searched; `last` is where it stopped, if not at the end. */
async function lookThrough(
  executor: Executor,
  { where, search, ...wanted }: Wanted & { size: number },
): Promise<{ ids: string[]; last: string | undefined }> {
  const [row] = await query<{ ids: string[]; last: string | null }>(
    executor,
    `with seen as materialized (
       select id, ${SEARCHED} as searched from account where ${where} order by id desc limit :size
     )
     select
       array(select id from seen where ${search.condition('searched')} order by id desc limit :max) as ids,
       (select id from seen order by id desc offset :size - 1 limit 1) as last`,
    { ...wanted, part: search.part },
  );
  return { ids: row?.ids ?? [], last: row?.last ?? undefined };
}

/** All that fits by the index, newest first, but no more than `max`; `undefined` for what is not rare. */
async function findRare(
  executor: Executor,
  { where, search, max, ...wanted }: Wanted,
  rareMax: number,
): Promise<string[] | undefined> {
  const rows = await query<{ id: string }>(
    executor,
    `select id from account where ${where} and ${search.condition(SEARCHED)} limit :enough`,
    { ...wanted, part: search.part, enough: rareMax + 1 },
  );
  if (rows.length > rareMax) return undefined;
  // Identifiers are written in the order that they have.
  return rows
    .map(({ id }) => id)
    .toSorted()
    .toReversed()
    .slice(0, max);
}
