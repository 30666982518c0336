export { BuildFailed, NEVER_LOADED } from './bundle.ts';
export { buildPrograms, isUpToDate } from './build-programs.ts';
export { programArguments, type ProgramName } from './programs.ts';
