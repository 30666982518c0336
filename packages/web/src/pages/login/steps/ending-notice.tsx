import { useLocation } from 'preact-iso';
import { useText, type MessageKey } from '../../../ui/locale/locale.ts';
import { Notice } from '../../../ui/layout/notice.tsx';
import { usePageData } from '../../../ui/api/page-data.ts';
import { usePageState } from '../../page-state.ts';
import { deviceName } from '../../device.ts';
import { PATHS } from '../../paths.ts';

/** Says why the last session ended, if an app or a page has sent the visitor here because of that. */
export function EndingNotice() {
  const text = useText();
  const { query } = useLocation();
  const replacedBy = useReplacedBy();
  const reason = query['reason'] ?? '';
  const words = Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined;
  if (words === undefined) return null;
  return (
    <Notice meaning="warning">
      <p>
        {reason === 'session_replaced' && replacedBy ? text('login.replaced.by', replacedBy) : text(words)}
      </p>
      {reason !== 'session_expired' && (
        <p>
          {text('login.replaced.doubt')} <a href={PATHS.forgotPassword}>{text('login.replaced.link')}</a>
        </p>
      )}
    </Notice>
  );
}

const REASONS: Readonly<Record<string, MessageKey>> = {
  session_replaced: 'login.replaced',
  session_deactivated: 'login.deactivated',
  session_expired: 'login.expired',
};

/** The session that replaced the last one, according to the error. */
function useReplacedBy(): { device: string; time: string } | undefined {
  const { ending } = usePageState();
  const { Locale } = usePageData();
  // As documented in docs/sessions.md. Any other value is shown as text.
  const by = ending?.body['ReplacedBy'] as
    { DeviceName?: string; UserAgent?: string; At?: string } | null | undefined;
  const device = by && deviceName(by);
  const at = Date.parse(by?.At ?? '');
  if (!device || Number.isNaN(at)) return undefined;
  return { device, time: new Intl.DateTimeFormat(Locale, { timeStyle: 'short' }).format(at) };
}
