import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  keysFor,
  newIdTokenKeys,
  newKey,
  parseJwks,
  rotated,
  signingKey,
  toKeySet,
  withoutPrivate,
} from '@gatehouse/auth-core';
import {
  createKeysFile,
  derivedSecrets,
  provideKeys,
  publishKeys,
  replaceFile,
  replaceKeysFile,
} from './keys-file.ts';

const HELP = `Creates and rotates the keys that sign tokens, and derives each service's keys.

  keys create <file>            creates a set with one key of access tokens, readable only by its owner; never
                                overwrites a file
  keys create-id-tokens <file>  the same for applications, with a key for RS256 and one for ES256
                                (ID_TOKEN_KEYS_FILE of Core)
  keys rotate <file>            adds a key that signs after --publish-seconds (for applications one of each kind) and
                                removes keys that have retired
  keys public <file> <public>   writes the public half of a set, for Portal (VERIFICATION_KEYS_FILE)
  keys list <file>              lists the keys without secrets
  keys portal-secret <file>     writes Portal's share of TOKEN_SECRET (PORTAL_SECRET_FILE)
  keys mail-public-key <file>   writes the public half of MAIL_KEY (MAIL_PUBLIC_KEY_FILE of Core, Portal, Admin)
  keys hook-public-key <file>   writes the public half of HOOK_KEY (HOOK_PUBLIC_KEY_FILE of Admin)
  keys provide <issuing> <portal> <core>
                                writes all of these but hook-public-key for a deployment: to the folder of Core and
                                Admin, to Portal's and to Core's; keeps existing signing keys

  --public FILE        rotate: the public half to replace as well (default: <file> with the ending .public.json,
                       if that exists)
  --publish-seconds N  rotate: how long a new key is published before it signs, so that every process and gateway
                       has it by then (default 60)
  --retire-seconds N   rotate: how long a replaced key still verifies tokens; at least the lifetime of an access
                       token (default 90000)
  --help               shows this text

Reads TOKEN_SECRET, MAIL_KEY and HOOK_KEY from the environment, or from the files named by TOKEN_SECRET_FILE and so on.
`;

/** Runs the command and returns the text to print. Error messages are written for operators. */
export function keysCommand(args: string[], nowSeconds: number, environment?: NodeJS.ProcessEnv): string {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      public: { type: 'string' },
      'publish-seconds': { type: 'string', default: '60' },
      'retire-seconds': { type: 'string', default: '90000' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return HELP;
  const publishSeconds = wholeSeconds('--publish-seconds', values['publish-seconds']);
  const retireSeconds = wholeSeconds('--retire-seconds', values['retire-seconds']);
  const [command, file, second = '', third = ''] = positionals;
  const files = command === 'provide' ? 3 : command === 'public' ? 2 : 1;
  if (command === undefined || file === undefined || positionals.length !== 1 + files)
    throw new Error('name a command and its file: --help lists the commands');
  switch (command) {
    case 'create':
      createKeysFile(file, [newKey(nowSeconds, nowSeconds)]);
      break;
    case 'create-id-tokens':
      createKeysFile(file, newIdTokenKeys(nowSeconds, nowSeconds));
      break;
    case 'rotate':
      rotate(file, values.public, { nowSeconds, publishSeconds, retireSeconds });
      break;
    case 'public':
      publishKeys(file, second);
      break;
    case 'list':
      break;
    case 'portal-secret':
    case 'mail-public-key':
    case 'hook-public-key':
      replaceFile(file, derivedSecrets[command](environment));
      return `wrote ${file}\n`;
    case 'provide':
      return provideKeys({ issuing: file, portal: second, core: third }, environment, nowSeconds)
        .map((keys) => table(readFileSync(keys, 'utf8'), nowSeconds))
        .join('');
    default:
      throw new Error(`there is no command ${command}: --help lists the commands`);
  }
  return table(readFileSync(file, 'utf8'), nowSeconds);
}

/** The public half is replaced first, so that verifiers always have the key that signs. */
function rotate(file: string, publicFile: string | undefined, times: Parameters<typeof rotated>[1]): void {
  const keys = rotated(parseJwks(readFileSync(file, 'utf8')), times);
  const secondInstance = `${file.replace(/\.json$/, '')}.public.json`;
  const published = publicFile ?? (existsSync(secondInstance) ? secondInstance : undefined);
  if (published !== undefined) replaceKeysFile(published, withoutPrivate(keys));
  replaceKeysFile(file, keys);
}

function table(json: string, nowSeconds: number): string {
  const set = toKeySet(parseJwks(json));
  const lines = [...set.values()].map((key) => {
    const signing = signingKey(keysFor(set, key.publicJwk.alg), nowSeconds);
    const state = key === signing ? 'signs' : key.signsFrom > nowSeconds ? 'will sign' : 'verifies';
    return `${key.kid}  ${new Date(key.signsFrom * 1000).toISOString()}  ${state}\n`;
  });
  return lines.join('');
}

function wholeSeconds(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name} must be a whole number of seconds`);
  return Number(text);
}
