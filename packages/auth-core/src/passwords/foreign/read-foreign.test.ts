import assert from 'node:assert/strict';
import { readForeign } from './read-foreign.ts';

const SALT = 'c2FsdHNhbHRzYWx0c2FsdA';
const DIGEST = 'ZGlnZXN0ZGlnZXN0ZGlnZXN0ZGlnZXN0ZGlnZXN0ISE';
const BCRYPT = `${'a'.repeat(22)}${'b'.repeat(31)}`;
const faultOf = (hash: string): string | undefined => {
  const reading = readForeign({ kind: 'hash', hash });
  return reading.kind === 'fault' ? reading.fault : undefined;
};
const aspNet = (iterations: number, saltBytes = 16): string => {
  const head = Buffer.alloc(13);
  head[0] = 1;
  head.writeUInt32BE(1, 1);
  head.writeUInt32BE(iterations, 5);
  head.writeUInt32BE(saltBytes, 9);
  return Buffer.concat([head, Buffer.alloc(48, 7)]).toString('base64');
};

describe('a hash of another system', () => {
  for (const [most, more] of [
    [`$2b$14$${BCRYPT}`, `$2b$15$${BCRYPT}`],
    [`bcrypt_sha256$$2b$14$${BCRYPT}`, `bcrypt_sha256$$2b$31$${BCRYPT}`],
    [`$wp$2y$14$${BCRYPT}`, `$wp$2y$15$${BCRYPT}`],
    [
      `$argon2id$v=19$m=262144,t=10,p=8$${SALT}$${DIGEST}`,
      `$argon2id$v=19$m=262145,t=1,p=1$${SALT}$${DIGEST}`,
    ],
    [`$argon2i$m=1024,t=1,p=1$${SALT}$${DIGEST}`, `$argon2i$v=19$m=1024,t=11,p=1$${SALT}$${DIGEST}`],
    [`$argon2d$v=19$m=1024,t=1,p=8$${SALT}$${DIGEST}`, `$argon2d$v=19$m=1024,t=1,p=9$${SALT}$${DIGEST}`],
    [`$scrypt$ln=18,r=8,p=2$${SALT}$${DIGEST}`, `$scrypt$ln=19,r=8,p=1$${SALT}$${DIGEST}`],
    [`$scrypt$ln=14,r=8,p=32$${SALT}$${DIGEST}`, `$scrypt$ln=14,r=8,p=33$${SALT}$${DIGEST}`],
    [`scrypt$16384$salt$8$1$${DIGEST}`, `scrypt$16384$salt$999999999$1$${DIGEST}`],
    [
      `$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=${DIGEST}$${SALT}$${DIGEST}`,
      `$fbscrypt$v=1,n=63,r=8,p=1,ss=Bw==,sk=${DIGEST}$${SALT}$${DIGEST}`,
    ],
    [`$pbkdf2-sha512$2000000$${SALT}$${DIGEST}`, `$pbkdf2-sha512$2000001$${SALT}$${DIGEST}`],
    [`pbkdf2_sha256$2000000$salt$${DIGEST}`, `pbkdf2_sha256$999999999$salt$${DIGEST}`],
    [aspNet(2_000_000), aspNet(4_294_967_295)],
    [`$P$G${'a'.repeat(30)}`, `$P$H${'a'.repeat(30)}`],
    [`$S$G${'a'.repeat(51)}`, `$S$R${'a'.repeat(51)}`],
    [`$6$rounds=250000$salt$${'a'.repeat(86)}`, `$6$rounds=250001$salt$${'a'.repeat(86)}`],
    [`scrypt:262144:8:2$salt$${'a'.repeat(128)}`, `scrypt:524288:8:1$salt$${'a'.repeat(128)}`],
    [`pbkdf2:sha256:2000000$salt$${'a'.repeat(64)}`, `pbkdf2:sha256:2000001$salt$${'a'.repeat(64)}`],
    [`{bcrypt}$2b$14$${BCRYPT}`, `{bcrypt}$2b$15$${BCRYPT}`],
  ] as const)
    it(`may cost as much as ${most.slice(0, 34)}…, and no more`, () => {
      assert.equal(faultOf(most), undefined);
      assert.equal(faultOf(more), 'hash_too_costly');
    });

  const [A30, A86] = [30, 86].map((length) => 'a'.repeat(length));
  const argon2id = (parameters: string) => `$argon2id$${parameters}$${SALT}$${DIGEST}`;
  for (const hash of [
    ...['', 'a'.repeat(1024), aspNet(0), aspNet(1000, 0), aspNet(1000, 4_000_000_000)],
    ...[`$2x$10$${BCRYPT}`, `$2b$03$${BCRYPT}`, `$2b$32$${BCRYPT}`, `$wp$2x$10$${BCRYPT}`],
    ...[argon2id('v=18$m=1024,t=1,p=1'), argon2id('v=19$m=7,t=1,p=1'), argon2id('v=19$m=1024,t=0,p=1')],
    ...[argon2id('v=19$m=1024,t=1,p=0'), argon2id('v=19$m=1e3,t=1,p=1'), argon2id('v=19$t=1,m=1024,p=1')],
    ...[argon2id('v=19$m=1024,t=1,p=1,keyid=x'), `${argon2id('v=19$m=1024,t=1,p=1')}*`],
    `$argon2id$v=19$m=1024,t=1,p=1$c2Fs$${DIGEST}`,
    `$argon2id$v=19$m=1024,t=1,p=1$${SALT}$c2hvcnQ`,
    ...[`$scrypt$ln=0,r=8,p=1$${SALT}$${DIGEST}`, `scrypt$1000$salt$8$1$${DIGEST}`],
    ...[
      `$pbkdf2-sha256$0$${SALT}$${DIGEST}`,
      `$pbkdf2-md5$1000$${SALT}$${DIGEST}`,
      `pbkdf2_sha256$1000$$${DIGEST}`,
    ],
    ...['sha256$i=1000,l=31', 'sha512$i=1000,l=16', 'sha256$l=32,i=1000'].map(
      (stated) => `$pbkdf2-${stated}$${SALT}$${DIGEST}`,
    ),
    ...[`$P$5${A30?.slice(1)}`, `$P$a${'*'.repeat(30)}`, `${'0'.repeat(32)}:${'0'.repeat(126)}`],
    ...[`$6$rounds=999$salt$${A86}`, `$6$rounds=5000$$${A86}`, `$6$salt$${A86?.slice(1)}`],
    ...[`scrypt:1000:8:1$salt$${'a'.repeat(128)}`, `pbkdf2:constructor:1000$salt$${'a'.repeat(64)}`],
    '$gh$10$scrypt,14,8,1,32$c2FsdA$c2VhbA',
  ])
    it(`is not taken: ${JSON.stringify(hash.slice(0, 52))}`, () =>
      assert.equal(faultOf(hash), 'unknown_format'));

  it('is taken if its digest has the length that it states', () => {
    assert.equal(faultOf(`$pbkdf2-sha256$i=1000,l=32$${SALT}$${DIGEST}`), undefined);
    const keycloak = (hashLength?: string) => {
      const stated = hashLength === undefined ? {} : { hashLength: [hashLength] };
      const additionalParameters = { memory: ['7168'], parallelism: ['1'], type: ['id'], ...stated };
      return readForeign({
        kind: 'keycloak',
        credentialData: JSON.stringify({ algorithm: 'argon2', hashIterations: 5, additionalParameters }),
        secretData: JSON.stringify({ value: DIGEST, salt: SALT }),
      }).kind;
    };
    assert.deepEqual([keycloak(), keycloak('32')], ['derived', 'derived']);
    const kinds = ['31', '33', '16', '-32', ''].map((length) => keycloak(length));
    assert.deepEqual(kinds, Array(5).fill('fault'));
  });

  it('is parsed in linear time', () => {
    const begun = performance.now();
    for (const piece of ['$', 'A', '=', '$2b$', 'm=1,', ':', '$argon2id', '+/'])
      faultOf(piece.repeat(200_000 / piece.length));
    assert.ok(performance.now() - begun < 1000);
  });
});
