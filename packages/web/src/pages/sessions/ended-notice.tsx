import { problemText } from '../../ui/api/problem-text.ts';
import { Notice } from '../../ui/layout/notice.tsx';
import { useText } from '../../ui/locale/locale.ts';
import type { Outcome } from './end-sessions.ts';

export function EndedNotice({ count, problem }: Outcome) {
  const text = useText();
  return (
    <Notice meaning={problem ? 'danger' : 'success'}>
      <p>{problem ? problemText(problem, text) : text('sessions.ended.count', { count })}</p>
    </Notice>
  );
}
