export { CommandError, describeFailure } from './command-error.ts';
export { makeSecrets } from './secrets/make-secrets.ts';
