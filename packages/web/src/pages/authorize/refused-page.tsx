import type { ComponentChildren } from 'preact';
import { Notice } from '../../ui/layout/notice.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { useText, type MessageKey } from '../../ui/locale/locale.ts';

interface RefusedPageProps {
  title: string;
  /** The reason (docs/openid.md). */
  code: string;
  children?: ComponentChildren;
}

/**
 * Says why an app's request cannot be answered. The visitor is not redirected, because the address in the request may be
 * an attacker's.
 */
export function RefusedPage({ title, code, children }: RefusedPageProps) {
  const text = useText();
  const reason = Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
  return (
    <Page title={title}>
      <Notice meaning="danger">
        <p>{text(reason ?? 'authorize.refused.other')}</p>
      </Notice>
      <p>{text('authorize.refused.what', { code })}</p>
      {children}
    </Page>
  );
}

const REASONS: Readonly<Record<string, MessageKey>> = {
  unknown_client: 'authorize.refused.client',
  redirect_uri_missing: 'authorize.refused.address',
  redirect_uri_mismatch: 'authorize.refused.address',
  invalid_id_token_hint: 'authorize.refused.hint',
};
