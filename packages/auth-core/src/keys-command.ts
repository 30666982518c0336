import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createKeysFile, replaceKeysFile } from './keys-file.ts';
import { newKey, parseJwks, parseKeySet, rotated, signingKey } from './keys.ts';

const HELP = `Makes and rotates the keys that sign access tokens.

  keys create <file>   makes a set of one key, readable by its owner alone; never overwrites a file
  keys rotate <file>   adds a key that signs after a while and drops keys that signed long ago
  keys list <file>     shows the keys, nothing secret

  --publish-seconds N  how long before it signs a new key is published, so that every process and gateway
                       knows it by then (rotate; default 60)
  --retire-seconds N   how long a key verifies after another one took over; at least the lifetime of an
                       access token (rotate; default 90000)
  --help               shows this text
`;

/** Does what the arguments say; returns what to print. Errors are for the person at the terminal. */
export function keysCommand(args: string[], nowSeconds: number): string {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      'publish-seconds': { type: 'string', default: '60' },
      'retire-seconds': { type: 'string', default: '90000' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return HELP;
  const publishSeconds = wholeSeconds('--publish-seconds', values['publish-seconds']);
  const retireSeconds = wholeSeconds('--retire-seconds', values['retire-seconds']);
  const [command, file, ...rest] = positionals;
  if (command === undefined || file === undefined || rest.length > 0) throw new Error('try --help');
  switch (command) {
    case 'create':
      createKeysFile(file, [newKey(nowSeconds, nowSeconds)]);
      break;
    case 'rotate':
      replaceKeysFile(
        file,
        rotated(parseJwks(readFileSync(file, 'utf8')), { nowSeconds, publishSeconds, retireSeconds }),
      );
      break;
    case 'list':
      break;
    default:
      throw new Error(`there is no command ${command}: try --help`);
  }
  return table(readFileSync(file, 'utf8'), nowSeconds);
}

function table(json: string, nowSeconds: number): string {
  const set = parseKeySet(json);
  const signing = signingKey(set, nowSeconds);
  const lines = [...set.values()].map((key) => {
    const state = key === signing ? 'signs' : key.signsFrom > nowSeconds ? 'will sign' : 'verifies';
    return `${key.kid}  ${new Date(key.signsFrom * 1000).toISOString()}  ${state}\n`;
  });
  return lines.join('');
}

function wholeSeconds(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name} must be a whole number of seconds`);
  return Number(text);
}
