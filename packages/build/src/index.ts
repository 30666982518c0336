export { NEVER_LOADED, PARTS_NEVER_LOADED } from './bundle.ts';
export { isUpToDate } from './build-programs.ts';
export { bundleForPage } from './web/bundle-for-page.ts';
export { packPackage } from './pack/pack-package.ts';
export { bundleModules } from './bundle-modules.ts';
export { programArguments, type ProgramName } from './programs.ts';
