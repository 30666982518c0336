import { useLocation } from 'preact-iso';
import { useText } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import { PATHS } from '../paths.ts';

/** Says why the last session is over, where an app or a page has sent somebody here because of it. */
export function ReplacedNotice() {
  const text = useText();
  const { query } = useLocation();
  if (query['reason'] !== 'session_replaced') return null;
  return (
    <Notice meaning="warning">
      <p>{text('login.replaced')}</p>
      <p>
        {text('login.replaced.doubt')} <a href={PATHS.forgotPassword}>{text('login.replaced.link')}</a>
      </p>
    </Notice>
  );
}
