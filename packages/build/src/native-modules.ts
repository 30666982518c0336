import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';

/**
 * Packages with a native module for each platform. Their loaders look for `<name>.<platform>.node` next to themselves
 * before they load the package of the platform. So the module is copied next to the bundle, and these packages are not
 * bundled.
 */
const LOADER = /node_modules\/@node-rs\/argon2\/index\.js$/;

/** The platform packages that the loaders require, which are not bundled. */
export const NATIVE_PACKAGES = ['@node-rs/argon2-*'];

/** The native modules that some inputs of a bundle load, for the installed platforms; as paths from the root. */
export function nativeModulesOf(root: string, inputs: readonly string[]): string[] {
  return inputs
    .filter((input) => LOADER.test(input))
    .flatMap((input) => {
      const { resolve } = createRequire(join(root, input));
      const manifest = JSON.parse(readFileSync(join(root, dirname(input), 'package.json'), 'utf8')) as {
        optionalDependencies?: Record<string, string>;
      };
      return Object.keys(manifest.optionalDependencies ?? {}).flatMap((name) => {
        try {
          const path = resolve(name);
          return basename(path).endsWith('.node') ? [relative(root, path)] : [];
        } catch {
          return []; // for another platform
        }
      });
    });
}
