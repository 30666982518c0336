import { Type } from '@gatehouse/schema';

/** The response of a login or a refresh. */
export const TokenSetAnswer = Type.Object(
  {
    Token: Type.String({
      description: 'The access token. Send it as `Authorization: Bearer <Token>`.',
      examples: ['eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiI…'],
    }),
    RefreshToken: Type.String({
      description: 'The refresh token for `/account/refresh-token`',
      examples: ['AaH9ZiHQcfmXjnhONO9LDY…'],
    }),
    ExpirationSeconds: Type.Integer({
      minimum: 1,
      description: 'Lifetime of the access token in seconds',
      examples: [3600],
    }),
  },
  { title: 'TokenSet' },
);
