import type { Problem } from '../../ui/api/api.ts';
import { Notice } from '../../ui/layout/notice.tsx';
import { usePageData } from '../../ui/api/page-data.ts';
import { useWords, type TextKey } from '../text.ts';

/** Says why the last session has ended. */
export function EndingNotice({ because }: { because: Problem | undefined }) {
  const words = useWords();
  const { Locale } = usePageData();
  const key = because && REASONS[because.code];
  if (key === undefined) return null;
  const by = because?.body['ReplacedBy'] as
    { DeviceName?: string; UserAgent?: string; At?: string } | undefined; // docs/sessions.md
  const device = by?.DeviceName ?? by?.UserAgent;
  const at = by?.At && new Intl.DateTimeFormat(Locale, { timeStyle: 'short' }).format(new Date(by.At));
  return (
    <Notice meaning="warning">
      <p>{words(key)}</p>
      {device && at && <p>{words('signIn.ended.by', { device, time: at })}</p>}
    </Notice>
  );
}

/** The problem codes that have a notice. A first visit has none of these, so there is no notice. */
const REASONS: Readonly<Partial<Record<string, TextKey>>> = {
  session_replaced: 'signIn.ended.replaced',
  session_deactivated: 'signIn.ended.deactivated',
  session_expired: 'signIn.ended.expired',
  session_ended: 'signIn.ended.ended',
  forbidden: 'signIn.ended.forbidden',
  token_invalid: 'signIn.ended.ended',
};
