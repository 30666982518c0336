import manifest from '../../../package.json' with { type: 'json' };

/** The version of this release: that of the root package.json, which has the only one. */
export const { version: VERSION } = manifest;
