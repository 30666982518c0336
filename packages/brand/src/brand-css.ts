import type { Brand, Shades } from './read-brand.ts';

/**
 * The custom properties of the brand, to be loaded after the `tokens.css` of the pages. Their values cannot inject
 * other CSS.
 */
export function brandCss({ accent, onAccent, radiusPixels, fontStack }: Brand): string {
  const properties = {
    '--accent': shades(accent),
    '--on-accent': shades(onAccent),
    '--radius': radiusPixels === undefined ? undefined : `${radiusPixels}px`,
    '--font': fontStack,
  };
  const lines = Object.entries(properties).flatMap(([name, value]) =>
    value === undefined ? [] : [`  ${name}: ${value};`],
  );
  return `:root {\n${lines.join('\n')}\n}\n`;
}

function shades({ light, dark }: Shades): string {
  return `light-dark(${light}, ${dark})`;
}
