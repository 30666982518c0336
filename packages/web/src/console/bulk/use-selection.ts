import { useState } from 'preact/hooks';
import type { Selection } from '../ui/table/row-selection.tsx';

const NONE: ReadonlyMap<string, string> = new Map();

/** The selected rows, also those on other pages of the list. When the list (`of`) changes, the selection is empty. */
export function useSelection(of: string, nameOf: Selection['nameOf']): Selection {
  const [state, setState] = useState({ of, selected: NONE });
  return {
    selected: state.of === of ? state.selected : NONE,
    onChange: (selected) => setState({ of, selected }),
    nameOf,
  };
}
