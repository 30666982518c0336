import { useState } from 'preact/hooks';
import { usePageData } from '../../ui/api/page-data.ts';
import { Button } from '../../ui/form/button.tsx';
import { Checkbox } from '../../ui/form/checkbox.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { csvOf } from '../export/csv.ts';
import { saveFile } from '../../ui/save-file.ts';
import { useWords, useWordsFor, type Words } from '../text.ts';
import { DataTable } from '../ui/table/data-table.tsx';
import { Card, Facts } from '../ui/layout/screen-page.tsx';
import { ProblemBox } from '../ui/layout/state.tsx';
import styles from './import.module.css';
import { InviteImported } from './invite-imported.tsx';
import type { Mapping } from './mapping.ts';
import type { Table } from './read-accounts.ts';
import { BATCH, useImport, type Progress } from './use-import.ts';

/** Imports all lines, after a dry run of the first ones. */
export function ImportRun({ table, mapping }: { table: Table; mapping: Mapping }) {
  const words = useWords();
  const { Locale } = usePageData();
  const { progress, isBusy, run, stop } = useImport(table, mapping);
  const [slowHashes, setSlowHashes] = useState<'keep' | 'drop'>('keep');
  const count = new Intl.NumberFormat(Locale).format(table.rows.length);
  const tried = new Intl.NumberFormat(Locale).format(Math.min(table.rows.length, BATCH));
  const isOver =
    progress?.isTrial === false && progress.problem === undefined && progress.done === progress.of;
  // The import requires a completed dry run first.
  const isTried = progress !== undefined && progress.problem === undefined && progress.done > 0;
  return (
    <Card title={words(progress?.isTrial === false ? 'import.result' : 'import.trial')}>
      {progress === undefined && <p>{words('import.trial.lead', { count: tried })}</p>}
      {progress && <Outcome progress={progress} />}
      {progress?.problem && (
        <ProblemBox problem={progress.problem} retry={() => void run(progress.isTrial, slowHashes)} />
      )}
      {progress && progress.slow.lines > 0 && slowHashes === 'keep' && (
        <Notice meaning="warning">{words('import.slow', progress.slow)}</Notice>
      )}
      {progress && !isBusy && progress.waiting.length > 0 && <InviteImported waiting={progress.waiting} />}
      {mapping.PasswordHash !== undefined && (
        <Checkbox name="slowHashes" onChange={(drops) => setSlowHashes(drops ? 'drop' : 'keep')}>
          {words('import.slow.drop')}
        </Checkbox>
      )}
      <div class={styles['actions']}>
        {isBusy && <Button onClick={stop}>{words('dialog.cancel')}</Button>}
        {!isOver && (
          <Button busy={isBusy} onClick={() => void run(true, slowHashes)}>
            {words(table.rows.length > BATCH ? 'import.try' : 'import.try.all', { count: tried })}
          </Button>
        )}
        {!isOver && (
          <Button
            kind="primary"
            busy={isBusy}
            disabled={!isTried}
            onClick={() => void run(false, slowHashes)}
          >
            {words('import.run', { count })}
          </Button>
        )}
      </div>
    </Card>
  );
}

const SHOWN = 20;

function Outcome({ progress }: { progress: Progress }) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { isTrial, done, of, imported, skipped, failed, failures } = progress;
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
            caption={words('import.failures')}
            rows={failures.slice(0, SHOWN)}
            keyOf={({ Line }) => String(Line)}
            columns={[
              { head: words('import.line'), cell: ({ Line }) => Line, align: 'end' },
              { head: words('import.why'), cell: (failure) => whyOf(failure, words, wordsFor) },
            ]}
          />
          <div>
            <Button
              onClick={() =>
                saveFile('import-failures.csv', 'text/csv;charset=utf-8', csvOf(rowsOf(failures)))
              }
            >
              {words('import.failures.save', { count: failures.length })}
            </Button>
          </div>
        </>
      )}
    </>
  );
}

/** The fields of a row, each with one sentence about what is valid. */
const FIELDS = ['Email', 'DisplayName', 'Role', 'PasswordHash'] as const;

/** Why a row was not imported. */
function whyOf(
  { Code, Message }: Progress['failures'][number],
  words: Words,
  wordsFor: ReturnType<typeof useWordsFor>,
): string {
  if (Code !== 'invalid_line') return wordsFor('import.code', Code);
  const field = FIELDS.find((name) => Message.startsWith(`/${name} `));
  return field === undefined ? Message : words(`import.fault.${field}`);
}

function rowsOf(failures: Progress['failures']): Record<string, string>[] {
  return failures.map(({ Line, Code, Message }) => ({ Line: String(Line), Code, Message }));
}
