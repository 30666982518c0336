import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { BACKGROUNDS, contrastOf, readBrand } from '@gatehouse/brand';

/** When a service starts, it checks brands against these colours, so they must be those of the pages. */
describe('the colours of the pages', () => {
  const css = readFileSync(new URL('./ui/tokens.css', import.meta.url), 'utf8');
  const shadesOf = (name: string): { light: string | undefined; dark: string | undefined } => {
    const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css) ?? [];
    return { light, dark };
  };

  it('use the backgrounds that brands are checked against', () => {
    assert.match(css, /--background: var\(--neutral-1\);\n\s*--surface: var\(--neutral-2\);/);
    const [page, surface] = [shadesOf('neutral-1'), shadesOf('neutral-2')];
    assert.deepEqual([page.light, surface.light], BACKGROUNDS.light);
    assert.deepEqual([page.dark, surface.dark], BACKGROUNDS.dark);
  });

  it('have the default accent without a brand file', () => {
    assert.deepEqual(shadesOf('accent'), readBrand(undefined).accent);
  });

  it('have enough contrast: text 7:1, secondary text and accents 4.5:1, field borders 3:1', () => {
    for (const [name, least] of [
      ['neutral-12', 7],
      ['neutral-11', 4.5],
      ['accent', 4.5],
      ['success', 4.5],
      ['warning', 4.5],
      ['danger', 4.5],
      ['information', 4.5],
      ['neutral-8', 3],
    ] as const) {
      const shades = shadesOf(name);
      for (const theme of ['light', 'dark'] as const) {
        for (const background of BACKGROUNDS[theme]) {
          const contrast = contrastOf(shades[theme] ?? '', background);
          assert.ok(contrast >= least, `${name} in the ${theme}: ${contrast}`);
        }
      }
    }
  });
});
