import { useWords, useWordsFor } from '../text.ts';
import { DataTable } from '../ui/table/data-table.tsx';
import filterStyles from '../ui/table/filter-bar.module.css';
import { accountOf, FIELDS, type Mapping } from './mapping.ts';
import type { Table, TableRow } from './read-accounts.ts';

interface ColumnsProps {
  table: Table;
  mapping: Mapping;
  onChange: (mapping: Mapping) => void;
}

const SHOWN = 5;

/** Lets the user assign columns to fields, and shows the resulting accounts for the first rows. */
export function Columns({ table, mapping, onChange }: ColumnsProps) {
  const words = useWords();
  const wordsFor = useWordsFor();
  return (
    <>
      <div class={filterStyles['bar']}>
        {FIELDS.map(([field]) => (
          <label key={field} class={filterStyles['filter']}>
            <span>{wordsFor('import.field', field)}</span>
            <select
              name={field}
              value={mapping[field] ?? ''}
              onChange={({ currentTarget: { value } }) =>
                onChange({ ...mapping, [field]: value === '' ? undefined : value })
              }
            >
              <option value="">{words('import.none')}</option>
              {table.columns.map((column) => (
                <option key={column} value={column}>
                  {column}
                </option>
              ))}
            </select>
          </label>
        ))}
      </div>
      {mapping.Email === undefined && <p role="status">{words('import.noEmail')}</p>}
      <DataTable<TableRow>
        caption={words('import.sample')}
        rows={table.rows.slice(0, SHOWN)}
        keyOf={({ line }) => String(line)}
        columns={FIELDS.map(([field]) => ({
          head: wordsFor('import.field', field),
          cell: (row) => String(accountOf(row, mapping)[field] ?? '–'),
        }))}
      />
    </>
  );
}
