export { CommandError, describeFailure } from './command-error.ts';
