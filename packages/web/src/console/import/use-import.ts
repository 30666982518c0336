import { useRef, useState } from 'preact/hooks';
import type { Problem } from '../../ui/api/api.ts';
import type { Answer } from '../api/call-api.ts';
import { useConsole } from '../api/console-context.ts';
import { useRefresh } from '../api/use-query.ts';
import { accountOf, type Mapping } from './mapping.ts';
import type { Table, TableRow } from './read-accounts.ts';

type Answered = Answer<'POST /admin/account/import'>;
type Failure = Answered['Failures'][number];

/** The results for the lines sent so far. */
export interface Progress {
  isTrial: boolean;
  /** The number of lines done so far, and the total. */
  done: number;
  of: number;
  imported: number;
  skipped: number;
  failed: number;
  failures: readonly Failure[];
  /** Accounts whose hash takes longer to check than ours, and the highest cost among them. */
  slow: { lines: number; cost: number };
  /** The imported accounts that wait for their owners, in parts that can be invited at once. */
  waiting: readonly (readonly string[])[];
  /** The error that stopped the import. Lines that were imported stay so, and the next run skips them. */
  problem?: Problem | undefined;
}

/** The number of lines per request, and of the dry run. */
export const BATCH = 1000;

/** Sends the rows of a file, a thousand at a time. */
export function useImport(table: Table, mapping: Mapping) {
  const { callApi } = useConsole();
  const refresh = useRefresh();
  const [progress, setProgress] = useState<Progress>();
  const [isBusy, setBusy] = useState(false);
  const isStopped = useRef(false);

  const run = async (isTrial: boolean, slowHashes: 'keep' | 'drop'): Promise<void> => {
    isStopped.current = false;
    setBusy(true);
    const rows = isTrial ? table.rows.slice(0, BATCH) : table.rows;
    let now: Progress = {
      isTrial,
      done: 0,
      of: rows.length,
      imported: 0,
      skipped: 0,
      failed: 0,
      failures: [],
      slow: { lines: 0, cost: 0 },
      waiting: [],
    };
    setProgress(now);
    for (let at = 0; at < rows.length && !isStopped.current; at += BATCH) {
      const batch = rows.slice(at, at + BATCH);
      const ndjson = batch.map((row) => JSON.stringify(accountOf(row, mapping))).join('\n');
      const query = { dryRun: isTrial, slowHashes };
      const result = await callApi('POST /admin/account/import', { query, ndjson });
      now = result.ok ? added(now, result.value, batch) : { ...now, problem: result.problem };
      setProgress(now);
      if (!result.ok) break;
    }
    setBusy(false);
    if (!isTrial) await refresh('GET /admin/account');
  };
  return { progress, isBusy, run, stop: () => void (isStopped.current = true) };
}

/** Adds the result of a batch. Converts line numbers within the batch to those of the file. */
function added(now: Progress, answer: Answered, batch: readonly TableRow[]): Progress {
  const failures = answer.Failures.map((one) => ({ ...one, Line: batch[one.Line - 1]?.line ?? one.Line }));
  return {
    ...now,
    done: now.done + batch.length,
    imported: now.imported + answer.Imported,
    skipped: now.skipped + answer.Skipped,
    failed: now.failed + answer.Failed,
    failures: [...now.failures, ...failures],
    waiting: answer.Waiting === undefined ? now.waiting : [...now.waiting, answer.Waiting],
    slow: {
      lines: now.slow.lines + (answer.SlowHashes?.Lines ?? 0),
      cost: Math.max(now.slow.cost, answer.SlowHashes?.Cost ?? 0),
    },
  };
}
