import { createHash } from 'node:crypto';
import { brandCss, sizeOfPng, type Brand, type Logo } from '@gatehouse/brand';

/** The files that a brand adds below `/web/`, and their names. */
export interface BrandFiles {
  style: string;
  logo: string | undefined;
  logoDark: string | undefined;
  files: ReadonlyMap<string, string>;
}

/** Creates a brand's style sheet and logos. Their names change with their content. */
export function brandFilesOf(brand: Brand): BrandFiles {
  const files = new Map<string, string>();
  const add = (name: string, ending: string, text: string): string => {
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
    files.set(`${name}-${hash}${ending}`, text);
    return `${name}-${hash}${ending}`;
  };
  return {
    style: add('brand', '.css', brandCss(brand)),
    logo: brand.logo && add('logo', '.svg', drawingOf(brand.logo)),
    logoDark: brand.logoDark && add('logo-dark', '.svg', drawingOf(brand.logoDark)),
    files,
  };
}

/** Returns a logo as SVG. Responses are text, so a PNG is embedded in an SVG. */
function drawingOf({ bytes, contentType }: Logo): string {
  if (contentType === 'image/svg+xml') return bytes.toString('utf8');
  const { width, height } = sizeOfPng(bytes);
  const source = `data:image/png;base64,${bytes.toString('base64')}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><image width="${width}" height="${height}" href="${source}"/></svg>`;
}
