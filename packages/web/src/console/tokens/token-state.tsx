import type { Answer } from '../api/call-api.ts';
import { useWords } from '../text.ts';
import { Badge } from '../ui/badge.tsx';

export type ApiToken = Answer<'GET /admin/api-token'>['Items'][number];

/** Whether the token is accepted. */
function isLive({ RevokedAt, ExpiresAt }: ApiToken): boolean {
  return RevokedAt === null && (ExpiresAt === null || Date.parse(ExpiresAt) > Date.now());
}

/** Whether the token can be rotated: it is accepted, and was not rotated before. */
export function isReplaceable(token: ApiToken): boolean {
  return isLive(token) && token.ReplacedBy === null;
}

/** Whether a token is accepted, else why not. */
export function TokenState({ token }: { token: ApiToken }) {
  const words = useWords();
  if (token.RevokedAt !== null) return <Badge meaning="danger">{words('tokens.state.revoked')}</Badge>;
  if (!isLive(token)) return <Badge meaning="neutral">{words('tokens.state.expired')}</Badge>;
  if (token.ReplacedBy !== null) return <Badge meaning="warning">{words('tokens.state.replaced')}</Badge>;
  return <Badge meaning="success">{words('tokens.state.active')}</Badge>;
}
