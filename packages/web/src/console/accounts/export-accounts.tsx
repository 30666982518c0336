import type { Answer } from '../api/call-api.ts';
import { useConsole } from '../api/console-context.ts';
import { ExportDialog } from '../export/export.tsx';
import { useWordsFor } from '../text.ts';

/** Saves the listed accounts as a file. */
export function ExportAccounts({ query, onClose }: { query: object; onClose: () => void }) {
  const wordsFor = useWordsFor();
  const { callApi } = useConsole();
  return (
    <ExportDialog
      name="accounts"
      page={(next) =>
        callApi('GET /admin/account', { query: { ...query, limit: 200, ...(next && { cursor: next }) } })
      }
      rowOf={(account) => rowOf(account, wordsFor('condition', account.LoginStatus ?? 'none'))}
      onClose={onClose}
    />
  );
}

/** An account as a CSV row. */
function rowOf(account: Answer<'GET /admin/account/{id}'>, condition: string): Record<string, string> {
  const { Id, Email, DisplayName, Locale, Role, LoginStatus, CreatedAt, LastLoginAt, ExpiresAt } = account;
  return {
    Id,
    Email,
    DisplayName: DisplayName ?? '',
    Locale,
    Role,
    IsService: String(account.IsService),
    LoginStatus: LoginStatus === undefined ? '' : String(LoginStatus),
    Condition: condition,
    IsDisabled: String(account.IsDisabled),
    ExpiresAt: ExpiresAt ?? '',
    TwoFactorEnabled: String(account.TwoFactorEnabled),
    TwoFactorRequired: String(account.TwoFactorRequired),
    HasPassword: String(account.HasPassword),
    HasPasskey: String(account.HasPasskey),
    NewPasswordRequired: String(account.NewPasswordRequired),
    Groups: account.Groups.join(','),
    CreatedAt,
    LastLoginAt: LastLoginAt ?? '',
  };
}
