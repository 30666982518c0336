import { apiTokens, type ApiToken, type Db } from '@gatehouse/db';

/** The token of an id, revoked ones too. Tokens are read newest first below an id: here below the next one. */
export async function findApiToken(db: Db, id: string): Promise<ApiToken | undefined> {
  const [token] = await apiTokens.findNewest(db, { beforeId: idAfter(id), createdBy: undefined, max: 1 });
  return token?.id === id.toLowerCase() ? token : undefined;
}

/** After the last there is the first, below which is nothing. */
function idAfter(id: string): string {
  const next = BigInt.asUintN(128, BigInt(`0x${id.replaceAll('-', '')}`) + 1n);
  return next
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
