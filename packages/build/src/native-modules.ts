import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';

/**
 * Packages with a native module for each platform, whose loaders look for `<name>.<platform>.node` beside themselves
 * before they ask for that platform's package. So the module is put beside the bundle, and the packages stay outside.
 */
const LOADER = /node_modules\/@node-rs\/argon2\/index\.js$/;

/** What the loaders ask for that is not bundled. */
export const NATIVE_PACKAGES = ['@node-rs/argon2-*'];

/** The native modules, of the platforms that are installed, that some inputs of a bundle load; by paths from the root. */
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
          return []; // of another platform
        }
      });
    });
}
