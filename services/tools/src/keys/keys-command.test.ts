import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import {
  parseIdTokenKeySet,
  parseKeySet,
  parsePublicKeySet,
  portalSecretOf,
  publicKeySetOf,
} from '@gatehouse/auth-core';
import { mailPublicKeyOf } from '@gatehouse/runtime';
import { useFolder } from '@gatehouse/runtime/testing';
import { keysCommand } from './keys-command.ts';

describe('the keys command', () => {
  const pathOf = useFolder();
  let file: string;
  const mode = () => statSync(file).mode & 0o777;
  const set = () => parseKeySet(readFileSync(file, 'utf8'));

  beforeEach(() => {
    file = pathOf('keys.json');
    keysCommand(['create', file], 1000);
  });

  it('creates a set that only its owner can read, and never overwrites one', () => {
    assert.equal(mode(), 0o600);
    const before = readFileSync(file, 'utf8');
    assert.throws(() => keysCommand(['create', file], 1000), /EEXIST/);
    assert.equal(readFileSync(file, 'utf8'), before);
  });

  it('rotates in place, also through a symbolic link, keeping the mode and no temporary files', () => {
    chmodSync(file, 0o640);
    const [old] = set().keys();
    keysCommand(['rotate', file, '--publish-seconds', '5'], 2000);
    assert.equal(mode(), 0o640);
    assert.deepEqual(readdirSync(pathOf()), ['keys.json']);
    const [first, second] = [...set().values()];
    assert.equal(first?.kid, old);
    assert.equal(second?.signsFrom, 2005);
    const link = pathOf('link');
    symlinkSync(file, link);
    keysCommand(['rotate', link], 2000);
    assert.equal(set().size, 3);
  });

  it('removes retired keys', () => {
    const [old = ''] = set().keys();
    keysCommand(['rotate', file, '--publish-seconds', '0'], 2000);
    keysCommand(['rotate', file, '--retire-seconds', '100'], 3000);
    assert.equal(set().size, 2);
    assert.ok(!set().has(old));
  });

  it('lists which key signs, without secrets', () => {
    const printed = keysCommand(['rotate', file], 2000);
    assert.equal(keysCommand(['list', file], 2000), printed);
    assert.match(
      printed,
      /^\S{43}  1970-01-01T00:16:40.000Z  signs\n\S{43}  1970-01-01T00:34:20.000Z  will sign\n$/,
    );
    assert.match(keysCommand(['list', file], 2060), / verifies\n.* signs\n$/);
    for (const { d } of JSON.parse(readFileSync(file, 'utf8')).keys as { d: string }[])
      assert.ok(!printed.includes(d));
  });

  it('creates and rotates a set of ID tokens, with a key for each algorithm', () => {
    const idTokens = pathOf('id-tokens.json');
    keysCommand(['create-id-tokens', idTokens], 1000);
    keysCommand(['rotate', idTokens, '--publish-seconds', '5'], 2000);
    const keys = [...parseIdTokenKeySet(readFileSync(idTokens, 'utf8')).values()];
    const shown = keys.map(({ signsFrom, publicJwk }) => `${signsFrom} ${publicJwk.alg}`).toSorted();
    assert.deepEqual(shown, ['1000 ES256', '1000 RS256', '2005 ES256', '2005 RS256']);
    assert.equal(keysCommand(['list', idTokens], 2000).match(/ {2}signs\n/g)?.length, 2);
    assert.throws(() => parseKeySet(readFileSync(idTokens, 'utf8')), /member other than/);
  });

  it('updates the public key file, next to it or at the given path', () => {
    const secondInstance = pathOf('keys.public.json');
    const elsewhere = pathOf('elsewhere.json');
    const publicKids = (of: string) => [...parsePublicKeySet(readFileSync(of, 'utf8')).keys()];
    keysCommand(['public', file, secondInstance], 1000);
    keysCommand(['rotate', file], 2000);
    assert.deepEqual(publicKids(secondInstance), [...set().keys()]);
    keysCommand(['rotate', file, '--public', elsewhere], 3000);
    assert.deepEqual(publicKids(elsewhere), [...set().keys()]);
    assert.equal(publicKids(elsewhere).length, 3);
    assert.doesNotMatch(readFileSync(secondInstance, 'utf8') + readFileSync(elsewhere, 'utf8'), /"d"/);
  });

  it('provides the secrets of a deployment repeatedly, and no signing key to Portal', () => {
    const folders = ['issuing', 'portal', 'core'].map((name) => pathOf(name));
    const [issuing = '', portal = '', core = ''] = folders;
    for (const one of folders) mkdirSync(one);
    const environment = { TOKEN_SECRET: 't'.repeat(32), MAIL_KEY: 'm'.repeat(32) };
    const provided = () => keysCommand(['provide', ...folders], 1000, environment);
    assert.equal(provided(), provided());
    const read = (of: string) => readFileSync(of, 'utf8');
    assert.deepEqual(readdirSync(issuing), ['mail-public-key', 'signing-keys.json']);
    assert.deepEqual(readdirSync(core), ['id-token-keys.json']);
    assert.deepEqual(readdirSync(portal), ['mail-public-key', 'portal-secret', 'verification-keys.json']);
    assert.equal(read(join(portal, 'portal-secret')), portalSecretOf(environment.TOKEN_SECRET));
    assert.equal(read(join(portal, 'mail-public-key')), mailPublicKeyOf(environment.MAIL_KEY));
    const shown = read(join(portal, 'verification-keys.json')).replace(/\s/g, '');
    assert.equal(shown, publicKeySetOf(read(join(issuing, 'signing-keys.json'))));
    assert.throws(() => keysCommand(['provide', ...folders], 1000, {}), /TOKEN_SECRET|MAIL_KEY/);
    assert.throws(() => keysCommand(['provide', issuing, portal], 1000, environment), /--help/);
  });

  it('does not change a broken set, and reports invalid arguments', () => {
    assert.match(keysCommand(['--help'], 0), /rotate <file>/);
    assert.throws(() => keysCommand([], 0), /--help/);
    assert.throws(() => keysCommand(['burn', file], 0), /no command burn/);
    assert.throws(() => keysCommand(['list', file, 'more'], 0), /--help/);
    assert.throws(() => keysCommand(['rotate', file, '--publish-seconds', '-1'], 0));
    assert.throws(() => keysCommand(['rotate', file, '--retire-seconds', 'soon'], 0), /whole number/);
    assert.throws(() => keysCommand(['rotate', pathOf('absent')], 0), /ENOENT/);
  });
});
