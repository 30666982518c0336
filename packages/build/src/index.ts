export { NEVER_LOADED, PARTS_NEVER_LOADED } from './bundle.ts';
export { filesBelow, isUpToDate } from './outputs.ts';
export { bundleForPage, bundleModules } from './test-bundles.ts';
export { packPackage } from './pack/pack-package.ts';
export { programArguments, type ProgramName } from './programs.ts';
