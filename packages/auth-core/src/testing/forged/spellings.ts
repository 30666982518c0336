import { encoded, forgeries, type Forger, type Forgery } from './forger.ts';

/** Other spellings of a genuine token, which could bypass a check of its text, and text of other forms. */
export function forgedSpellings(forger: Forger): Forgery[] {
  return [...shapes(forger), ...alphabets(forger), ...jsonSpellings(forger)];
}

function shapes({ genuine, signed }: Forger): Forgery[] {
  const [header = '', payload = '', made = ''] = genuine.split('.');
  const flattened = JSON.stringify({ protected: header, payload, signature: made });
  return forgeries({
    'empty text': '',
    'two dots': '..',
    'the header alone': header,
    'two parts': `${header}.${payload}`,
    'no header': `.${payload}.${made}`,
    'no payload': `${header}..${made}`,
    'a fourth part': `${genuine}.${made}`,
    'a trailing dot': `${genuine}.`,
    'five parts, as of a JWE': `${header}..${payload}.${payload}.${made}`,
    'the JSON serialisation': flattened,
    'the token twice': `${genuine}${genuine}`,
    'the token twice, by comma': `${genuine},${genuine}`,
    'the scheme before it': `Bearer ${genuine}`,
    'a token in a token': `${header}.${encoded(genuine)}.${made}`,
    'a refresh token': 'A'.repeat(86),
    'an API token': `sat_${'A'.repeat(43)}`,
    'a very long payload, well signed': signed({}, { padding: 'x'.repeat(5000) }),
    'very long nonsense': 'A'.repeat(100_000),
    'very many dots': '.'.repeat(100_000),
    'deep JSON': `${header}.${encoded(`{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`)}.${made}`,
  });
}

function alphabets({ genuine, signed }: Forger): Forgery[] {
  const [header = '', payload = '', made = ''] = genuine.split('.');
  const parts = { header, payload, signature: made };
  const odd = Object.entries(parts).flatMap(([name, part]) => {
    const put = (other: string) => genuine.replace(part, other);
    const twin = oddTwin(part);
    return forgeries({
      [`padding after the ${name}`]: put(`${part}=`),
      [`a line break after the ${name}`]: put(`${part}\n`),
      [`a foreign character in the ${name}`]: put(`${part.slice(0, 8)}!${part.slice(8)}`),
      [`one more character in the ${name}`]: put(`${part}A`),
      ...(twin !== undefined && { [`stray bits in the ${name}`]: put(twin) }),
    });
  });
  const dashed = dashedToken(signed);
  const whole = forgeries({
    'the alphabet of plain base64': dashed.replaceAll('-', '+').replaceAll('_', '/'),
    'a tab before it': `\t${genuine}`,
    'a space after it': `${genuine} `,
    'a line break after it': `${genuine}\r\n`,
    'NUL after it': `${genuine}\0`,
    'a byte order mark before it': `\uFEFF${genuine}`,
    'a zero-width space in it': genuine.replace('.', '\u200B.'),
    'full-width dots': genuine.replaceAll('.', '．'),
    'percent-encoded dots': genuine.replaceAll('.', '%2E'),
    'a letter that folds to ASCII': genuine.replace('e', 'ｅ'),
    'all in lower case': genuine.toLowerCase(),
  });
  return [...odd, ...whole];
}

/** A part that does not end at a byte boundary has variants, which differ in bits that decoders ignore. */
function oddTwin(part: string): string | undefined {
  const bytes = Buffer.from(part, 'base64url');
  for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
    const twin = part.slice(0, -1) + last;
    if (twin !== part && Buffer.from(twin, 'base64url').equals(bytes)) return twin;
  }
  return undefined;
}

/** A valid token whose signature contains a character in which base64 and base64url differ. */
function dashedToken(signed: Forger['signed']): string {
  for (;;) {
    const token = signed({});
    if (/[-_]/.test(token.slice(token.lastIndexOf('.')))) return token;
  }
}

function jsonSpellings({ header, claims, signedText }: Forger): Forgery[] {
  const head = JSON.stringify(header);
  const body = JSON.stringify(claims);
  const start = Buffer.from(`${body.slice(0, -1)},"x":"`);
  const badUtf8 = Buffer.concat([start, Buffer.of(0xff), Buffer.from('"}')]);
  const heads: Record<string, string> = {
    'alg twice, ours last': `{"alg":"none",${head.slice(1)}`,
    'alg twice, ours first': `${head.slice(0, -1)},"alg":"none"}`,
    'kid twice': `{"kid":"other",${head.slice(1)}`,
    'a space in the header': head.replace(':', ': '),
    'a line break that ends the header': `${head}\n`,
    'a byte order mark before the header': `\uFEFF${head}`,
    'an escape in the header': head.replace('"alg"', '"\\u0061lg"'),
    'an array as header': `[${head}]`,
    'a text as header': JSON.stringify(head),
    'null as header': 'null',
    'an empty header': '{}',
    'no JSON as header': 'alg=ES256',
    'half a header': head.slice(0, -2),
  };
  const bodies: Record<string, string | Buffer> = {
    'sub twice': `{"sub":"00000000-0000-4000-8000-000000000000",${body.slice(1)}`,
    'role twice': `${body.slice(0, -1)},"role":"Admin"}`,
    'exp twice': `${body.slice(0, -1)},"exp":9999999999}`,
    'a space in the payload': body.replace(':', ': '),
    'an escape in the payload': body.replace('"sub"', '"\\u0073ub"'),
    'exp with an exponent': body.replace(/"exp":(\d+)/, '"exp":$1e0'),
    'an array as payload': `[${body}]`,
    'a text as payload': JSON.stringify(body),
    'null as payload': 'null',
    'an empty payload': '{}',
    'no JSON as payload': 'sub=me',
    'bytes that are not UTF-8 in the payload': badUtf8,
  };
  return [
    ...Object.entries(heads).map(([name, text]) => ({ name, token: signedText(text, body) })),
    ...Object.entries(bodies).map(([name, text]) => ({ name, token: signedText(head, text) })),
  ];
}
