import { Type } from '@gatehouse/schema';

/** What a login or a refresh answers (specification 2.1). */
export const TokenSetAnswer = Type.Object({
  Token: Type.String({ description: 'The access token: send it as Authorization: Bearer …' }),
  RefreshToken: Type.String({ description: 'Gives a new access token at /account/refresh-token' }),
  ExpirationSeconds: Type.Integer({ minimum: 1, description: 'How long the access token lives' }),
});
