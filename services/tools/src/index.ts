export { CommandError, describeFailure } from './terminal.ts';
export { makeSecrets } from './secrets.ts';
