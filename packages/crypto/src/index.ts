export { deriveKey } from './derive-key.ts';
export { hashLongSecret } from './hash-long-secret.ts';
export { mailKeysOf, mailPublicKeyOf } from './mail-key.ts';
export { newP256Jwk } from './new-p256-jwk.ts';
export { openSealed, sealTo, type SealContext } from './sealed-box.ts';
export { createSecretBox, type SecretBox } from './secret-box.ts';
