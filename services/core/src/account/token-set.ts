import { Type } from '@gatehouse/schema';

/** What a login or a refresh answers (specification 2.1). */
export const TokenSetAnswer = Type.Object(
  {
    Token: Type.String({
      description: 'The access token: send it as Authorization: Bearer …',
      examples: ['eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiI…'],
    }),
    RefreshToken: Type.String({
      description: 'Gives a new access token at /account/refresh-token',
      examples: ['AaH9ZiHQcfmXjnhONO9LDY…'],
    }),
    ExpirationSeconds: Type.Integer({
      minimum: 1,
      description: 'How long the access token lives',
      examples: [3600],
    }),
  },
  { title: 'TokenSet' },
);
