import type { ComponentChildren } from 'preact';
import { Button } from '../../ui/form/button.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { Notice } from '../../ui/layout/notice.tsx';
import { problemText } from '../../ui/api/problem-text.ts';
import type { Own } from './own-account.ts';

const EXPLANATIONS = {
  conflict: 'own.conflict',
  unavailable: 'own.unavailable',
  offline: 'own.offline',
} as const;

/** Shows the loaded value, or why it could not be loaded. */
export function Loaded<T>({ own, children }: { own: Own<T>; children: (value: T) => ComponentChildren }) {
  const text = useText();
  const { value, problem, reload } = own;
  if (problem !== undefined) {
    return (
      <>
        <Notice meaning="danger">
          <p>{problemText(problem, text, EXPLANATIONS)}</p>
        </Notice>
        <Button onClick={reload}>{text('own.again')}</Button>
      </>
    );
  }
  if (value === undefined) return <p role="status">{text('own.loading')}</p>;
  return <>{children(value)}</>;
}
