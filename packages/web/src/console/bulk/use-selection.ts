import { useState } from 'preact/hooks';
import type { Selection } from '../ui/table/row-selection.tsx';

const NONE: ReadonlySet<string> = new Set();

/** Rows that were selected, of other pages too; another list (`of`) begins with none. */
export function useSelection(of: string, nameOf: Selection['nameOf']): Selection {
  const [state, setState] = useState({ of, selected: NONE });
  return {
    selected: state.of === of ? state.selected : NONE,
    onChange: (selected) => setState({ of, selected }),
    nameOf,
  };
}
