import {
  accountExport,
  accounts,
  audit,
  inTransaction,
  type AccountExport,
  type Actor,
  type Transaction,
} from '@gatehouse/db';
import type { AccountsDeps, LoginDeps, Origin } from '../deps.ts';
import { countExportRequest } from '../checks/request-limits.ts';
import { proveOwner, type OwnerProof, type OwnerProofInput } from '../passkey/prove-owner.ts';
import { inTurn } from './export-turns.ts';

type Deps = LoginDeps & Pick<AccountsDeps, 'exports' | 'exportTurns'>;

/** The maximum number of rows per section of an export. */
export const EXPORT_ROWS_MAX = 10_000;

/** All stored data of an account; `limited`: it was exported too often. */
export type Exported =
  { kind: 'exported'; document: AccountExport } | { kind: 'limited'; retryAfterSeconds: number };

/**
 * Exports an account for its owner, who must prove their identity: a stolen session must not be enough to get all data
 * at once.
 *
 * @throws {Unavailable} while too many other exports are running.
 */
export async function exportOwnAccount(
  deps: Deps,
  shows: OwnerProofInput,
  origin: Origin,
): Promise<Exported | Exclude<OwnerProof, { kind: 'proved' }>> {
  const proof = await proveOwner(deps, shows, origin);
  if (proof.kind !== 'proved') return proof;
  const { accountId } = shows;
  const limited = await countExportRequest(deps, accountId);
  if (limited !== undefined) return { ...limited, kind: 'limited' };
  return inTurn(deps.exportTurns, () =>
    inTransaction<Exported | { kind: 'unproven' }>(deps.db, origin, async (tx, rollBack) => {
      if (!(await proof.use(tx))) return rollBack({ kind: 'unproven' });
      return { kind: 'exported', document: await exportIn(tx, accountId, byAccount(accountId), origin) };
    }),
  );
}

function byAccount(id: string): Actor {
  return { kind: 'Account', id };
}

/**
 * Exports an account for an administrator whose help its owner has requested; `undefined` for an unknown account.
 *
 * @throws {Unavailable} while too many other exports are running.
 */
export async function exportAccount(
  { db, exportTurns }: Pick<AccountsDeps, 'db' | 'exportTurns'>,
  accountId: string,
  actor: Actor,
  origin: Origin,
): Promise<AccountExport | undefined> {
  return inTurn(exportTurns, () =>
    inTransaction(db, origin, async (tx) => {
      const account = await accounts.findById(tx, accountId);
      return account && exportIn(tx, accountId, actor, origin);
    }),
  );
}

async function exportIn(
  tx: Transaction,
  accountId: string,
  actor: Actor,
  origin: Origin,
): Promise<AccountExport> {
  const document = await accountExport.find(tx, accountId, EXPORT_ROWS_MAX);
  const target = { kind: 'Account', id: accountId } as const;
  await audit.append(tx, [{ action: 'account.exported', actor, target }], origin);
  return document;
}
