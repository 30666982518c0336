import { createForger, forgeries, type Forger, type Forgery } from './forged/forger.ts';
import { forgedHeaders } from './forged/headers.ts';
import { forgedSignatures } from './forged/signatures.ts';
import { forgedSpellings } from './forged/spellings.ts';

export { malleatedSignature } from './forged/signatures.ts';
export { createForger, type Forgery } from './forged/forger.ts';

/** Tokens to refuse, each unlike a valid one in one respect; `expired` ones are genuine but over. */
export function forgedTokens(genuine: string, keySetJson: string): Record<'invalid' | 'expired', Forgery[]> {
  const forger = createForger(genuine, keySetJson);
  return {
    invalid: [forgedHeaders, forgedClaims, forgedSignatures, forgedSpellings].flatMap((forge) =>
      forge(forger),
    ),
    expired: expiredTokens(forger),
  };
}

/** Tokens with a valid signature that we would never issue, or that are for another audience or time. */
function forgedClaims({ claims, signed }: Forger): Forgery[] {
  const wrong = wrongValues(claims);
  return Object.entries(wrong).flatMap(([claim, values]) =>
    values.map((value) => ({
      name: `${claim} ${JSON.stringify(value)?.slice(0, 80)}`,
      token: signed({}, { [claim]: value }),
    })),
  );
}

/** Genuine but expired tokens: the only ones that may be refused with `token_expired`. */
function expiredTokens({ claims, signed }: Forger): Forgery[] {
  const iat = Number(claims['iat']);
  const lifetime = Number(claims['exp']) - iat;
  return forgeries({
    'exp a second ago': signed({}, { iat: iat - lifetime, exp: iat - 1 }),
    'exp now': signed({}, { iat: iat - lifetime, exp: iat }),
    'exp a day ago': signed({}, { iat: iat - 90_000, exp: iat - 86_400 }),
    'iat too long ago': signed({}, { iat: iat - lifetime - 3600, exp: iat + 60 }),
  });
}

function wrongValues(claims: Record<string, unknown>): Record<string, unknown[]> {
  const iss = String(claims['iss']);
  const aud = String(claims['aud']);
  const missing = [undefined, null, '', 1, {}];
  const near = (text: string) => [`${text}/`, `${text}2`, text.slice(0, -1), text.toUpperCase(), ` ${text}`];
  return {
    ...wrongTimes(Number(claims['iat']), Number(claims['exp'])),
    iss: [...missing, [iss], ...near(iss), `${iss}.evil.example`],
    aud: [...missing, [aud], [aud, 'other'], [], ...near(aud)],
    sub: wrongIds(String(claims['sub'])),
    sid: wrongIds(String(claims['sid'])),
    jti: [...missing, []],
    role: [...missing, 'Root', 'admin', 'ADMIN', 0, ['Admin'], { Admin: true }, 'constructor'],
  };
}

function wrongTimes(iat: number, exp: number): Record<string, unknown[]> {
  const tenYears = 315_360_000;
  return {
    exp: [undefined, null, '', String(exp), exp + 0.5, iat + tenYears, 1e300, -1, true, [1], iat - 10],
    iat: [undefined, null, String(iat), iat + 0.5, iat + 600, 1e300, -1, true, [iat]],
    nbf: [null, String(iat), iat + 600, 1e300, true, [iat]],
  };
}

function wrongIds(uuid: string): unknown[] {
  const framed = [`{${uuid}}`, `urn:uuid:${uuid}`, `${uuid}\n`, ` ${uuid}`, `${uuid}\0`];
  const none = [undefined, null, '', 0, true, [uuid], { $ne: '' }];
  return [...none, uuid.replaceAll('-', ''), uuid.toUpperCase(), ...framed];
}
