import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** Opens a dialog, which gets a function that closes it. */
export type OpenDialog = (dialog: (close: () => void) => ComponentChildren) => void;

/** The open dialog of a screen, to be rendered, and a function that opens one. */
export function useDialog(): [dialog: ComponentChildren, open: OpenDialog] {
  const [dialog, setDialog] = useState<ComponentChildren>();
  return [dialog, (render) => setDialog(render(() => setDialog(undefined)))];
}
