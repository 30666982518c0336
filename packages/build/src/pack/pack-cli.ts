import { packPackage } from './pack-package.ts';

/** `npm run pack:client`: packs the package as a tarball for apps. */
for (const name of process.argv.slice(2)) process.stdout.write(`✓ ${await packPackage(name)}\n`);
