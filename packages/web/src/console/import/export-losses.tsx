import type { ConvertedExport } from '@gatehouse/intake';
import { useWords, useWordsFor } from '../text.ts';
import { Facts } from '../ui/screen-page.tsx';
import { DataTable } from '../ui/table.tsx';

/** What of an export is imported, left out, and not carried over. */
export function ExportLosses({ converted, faults }: { converted: ConvertedExport; faults: number }) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { lines, leftOut, notCarried } = converted;
  return (
    <>
      <Facts
        rows={[
          [words('import.export.accounts'), lines.length],
          ...[...leftOut].map(([why, count]): [string, number] => [
            wordsFor('import.leftOut', why.replaceAll(' ', '-')),
            count,
          ]),
          ...(faults > 0 ? [[words('import.export.faults'), faults] satisfies [string, number]] : []),
        ]}
      />
      {notCarried.size > 0 && (
        <DataTable
          caption={words('import.notCarried')}
          rows={[...notCarried]}
          keyOf={([what]) => what}
          columns={[
            // Names of fields and types of credentials, as the export has them.
            { head: words('import.notCarried'), cell: ([what]) => <span lang="en">{what}</span> },
            { head: words('import.export.count'), cell: ([, count]) => count, align: 'end' },
          ]}
        />
      )}
    </>
  );
}
