import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

export const relatedOrigins = route({
  method: 'get',
  path: '/.well-known/webauthn',
  operationId: 'getRelatedOrigins',
  tag: 'Health and tokens',
  summary: 'Get the origins that share passkeys (WebAuthn)',
  description:
    'Browsers read it from the domain of `PASSKEY_RP_ID` when a page of another domain requests a passkey. ' +
    'Returns 404 if passkeys are disabled.',
  access: 'public',
  response: Type.Object(
    { origins: Type.Array(Type.String(), { examples: [['https://auth.example.com']] }) },
    { title: 'RelatedOrigins' },
  ),
  errors: ['not_found'],
  headers: { fixed: { 'Cache-Control': 'public, max-age=300' } },
  handler: ({ deps: { passkeys }, refuse }) => {
    if (passkeys === undefined) throw refuse('not_found', 'Passkeys are off');
    return { origins: [...passkeys.site.origins] };
  },
});
