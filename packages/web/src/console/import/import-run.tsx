import type { ExportLine } from '@gatehouse/intake';
import { useRef, useState } from 'preact/hooks';
import type { Problem } from '../../ui/api.ts';
import { saveFile } from '../../ui/browser.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/fields.tsx';
import { Notice } from '../../ui/notice.tsx';
import { type Answer, type Input, refresh, useConsole } from '../api/call-api.ts';
import { csvOf, rowOf } from '../export/csv.ts';
import { counted, words, wordsFor } from '../text.ts';
import { Card, Facts, ProblemBox } from '../ui/screen-page.tsx';
import { DataTable } from '../ui/table.tsx';
import styles from './import.module.css';

interface ImportRunProps {
  accounts: readonly ExportLine[];
  hasPasswords: boolean;
  /** The hash parameters of a Firebase project (docs/migrating.md). */
  firebase?: string;
}

export function ImportRun({ accounts, hasPasswords, firebase }: ImportRunProps) {
  const { progress, wouldImport, isBusy, run, stop } = useImport(accounts, firebase);
  const [slowHashes, setSlowHashes] = useState<'keep' | 'drop'>('keep');
  const count = accounts.length;
  const isOver =
    progress?.isTrial === false && progress.problem === undefined && progress.done === progress.of;
  return (
    <Card title={words(progress?.isTrial === false ? 'c.import.title' : 'import.trial')}>
      {progress ? <Outcome progress={progress} /> : <p>{words('import.trial.lead')}</p>}
      {progress?.problem && (
        <ProblemBox
          problem={progress.problem}
          retry={() => void run(progress.isTrial, slowHashes, progress)}
        />
      )}
      {progress && progress.slow.lines > 0 && slowHashes === 'keep' && (
        <Notice meaning="warning">{words('import.slow', progress.slow)}</Notice>
      )}
      {progress && !isBusy && progress.waiting.length > 0 && <InviteImported waiting={progress.waiting} />}
      {hasPasswords && (
        <Checkbox name="slowHashes" onChange={(drops) => setSlowHashes(drops ? 'drop' : 'keep')}>
          {words('import.slow.drop')}
        </Checkbox>
      )}
      <div class={styles['actions']}>
        {isBusy && <Button onClick={stop}>{words('form.cancel')}</Button>}
        {!isOver && (
          <Button busy={isBusy} onClick={() => void run(true, slowHashes)}>
            {counted('import.try.all', count)}
          </Button>
        )}
        {!isOver && (
          <Button
            kind="primary"
            busy={isBusy}
            disabled={!wouldImport}
            onClick={() => void run(false, slowHashes)}
          >
            {counted('import.run', wouldImport ?? count)}
          </Button>
        )}
      </div>
    </Card>
  );
}

const FAILURES_SHOWN = 20;
const FAILURE = ['Line', 'Code', 'Message'] as const;

function Outcome({ progress }: { progress: Progress }) {
  const { isTrial, done, of, imported, skipped, failed, failures } = progress;
  const save = (): void => {
    const csv = csvOf(failures.map((one) => rowOf(one, FAILURE)));
    saveFile('import-failures.csv', 'text/csv;charset=utf-8', csv);
  };
  return (
    <>
      <label class={styles['progress']}>
        <span role="status">{words('import.progress', { done, of })}</span>
        <progress value={done} max={of} />
      </label>
      <Facts
        rows={[
          [words(isTrial ? 'import.wouldImport' : 'import.imported'), imported],
          [words('import.skipped'), skipped],
          [words('import.failed'), failed],
        ]}
      />
      {failures.length > 0 && (
        <>
          <DataTable
            caption="import.failures"
            rows={failures.slice(0, FAILURES_SHOWN)}
            columns={[
              ['import.line', ({ Line }) => Line, 'end'],
              ['import.why', whyOf],
            ]}
          />
          <div>
            <Button onClick={save}>{words('import.failures.save', { count: failures.length })}</Button>
          </div>
        </>
      )}
    </>
  );
}

/** The fields of a row, each with one sentence about what is valid. */
const EXPLAINED = ['Email', 'DisplayName', 'Role', 'PasswordHash'] as const;

function whyOf({ Code, Message }: Progress['failures'][number]): string {
  if (Code !== 'invalid_line') return wordsFor('import.code', Code);
  const field = EXPLAINED.find((name) => Message.startsWith(`/${name} `));
  return field === undefined ? Message : words(`import.fault.${field}`);
}

type Answered = Answer<'POST /admin/account/import'>;
type Failure = Answered['Failures'][number];

interface Progress {
  isTrial: boolean;
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

const BATCH = 1000;
/** Admin hashes each `PasswordDigest` before it stores the line, and an answer has ten seconds. */
const SLOW_BATCH = 50;
/** The seconds after which a request that found no service, or a busy one, is sent again. */
const PAUSES = [2, 5, 10, 20];

/** Sends the accounts of a file, a thousand at a time. `wouldImport`: what the last complete dry run counted. */
function useImport(accounts: readonly ExportLine[], firebase: string | undefined) {
  const { callApi } = useConsole();
  const [progress, setProgress] = useState<Progress>();
  const [wouldImport, setWouldImport] = useState<number>();
  const [isBusy, setBusy] = useState(false);
  const isStopped = useRef(false);

  const send = async (input: Input<'POST /admin/account/import'>) => {
    for (let attempt = 0; ; attempt += 1) {
      const result = await callApi('POST /admin/account/import', input);
      const pause = PAUSES[attempt];
      if (result.ok || pause === undefined || isStopped.current) return result;
      const { status, retryAfterSeconds = 0 } = result.problem;
      if (![0, 429, 503].includes(status)) return result;
      await new Promise((resolve) => setTimeout(resolve, Math.max(pause, retryAfterSeconds) * 1000));
    }
  };

  /** `from`: where an earlier run has stopped. */
  const run = async (isTrial: boolean, slowHashes: 'keep' | 'drop', from?: Progress): Promise<void> => {
    isStopped.current = false;
    setBusy(true);
    let now: Progress = {
      isTrial,
      done: 0,
      of: accounts.length,
      imported: 0,
      skipped: 0,
      failed: 0,
      failures: [],
      slow: { lines: 0, cost: 0 },
      waiting: [],
      ...from,
      problem: undefined,
    };
    setProgress(now);
    const size = accounts.some(({ line }) => line.PasswordDigest) ? SLOW_BATCH : BATCH;
    for (let at = now.done; at < accounts.length && !isStopped.current; at += size) {
      const batch = accounts.slice(at, at + size);
      const ndjson = batch.map(({ line }) => JSON.stringify(line)).join('\n');
      const query = { dryRun: isTrial, slowHashes, ...(firebase !== undefined && { firebase }) };
      const result = await send({ query, ndjson });
      now = result.ok ? added(now, result.value, batch) : { ...now, problem: result.problem };
      setProgress(now);
      if (!result.ok) break;
    }
    setBusy(false);
    if (isTrial) setWouldImport(now.done === now.of ? now.imported : undefined);
    if (!isTrial) await refresh();
  };
  return { progress, wouldImport, isBusy, run, stop: () => void (isStopped.current = true) };
}

/** Adds the result of a batch. Converts line numbers within the batch to those of the file. */
function added(now: Progress, answer: Answered, batch: readonly ExportLine[]): Progress {
  const failures = answer.Failures.map((one) => ({ ...one, Line: batch[one.Line - 1]?.at ?? one.Line }));
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

/** Offers to mail the owners of imported accounts a link to set them up: nobody has told them yet. */
function InviteImported({ waiting }: { waiting: readonly (readonly string[])[] }) {
  const { callApi } = useConsole();
  const [mailed, setMailed] = useState<{ parts: number; count: number }>({ parts: 0, count: 0 });
  const [problem, setProblem] = useState<Problem>();
  const left = waiting.slice(mailed.parts);
  const count = left.reduce((sum, part) => sum + part.length, 0);
  const invite = async (): Promise<void> => {
    setProblem(undefined);
    for (const part of left) {
      const result = await callApi('POST /admin/account/bulk/invite', {
        body: { Filter: { Ids: [...part] } },
      });
      if (!result.ok) {
        setProblem(result.problem);
        break;
      }
      const { Count } = result.value;
      setMailed((now) => ({ parts: now.parts + 1, count: now.count + Count }));
    }
  };
  return (
    <>
      {count > 0 && <Notice meaning="information">{counted('import.waiting', count)}</Notice>}
      {mailed.parts > 0 && <Notice meaning="success">{counted('import.mailed', mailed.count)}</Notice>}
      {problem && <ProblemBox problem={problem} />}
      {count > 0 && (
        <div>
          <Button onClick={invite}>{counted('import.invite', count)}</Button>
        </div>
      )}
    </>
  );
}
