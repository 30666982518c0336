import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { readBrand, sizeOfPng, type Brand } from '@gatehouse/brand';

/** An image that is attached to a mail; `cid` is its id in the HTML (RFC 2392). */
export interface Picture {
  cid: string;
  png: Buffer;
}

/** The logo in the header of a mail, with its displayed size in CSS pixels. */
export interface MailLogo {
  light: Picture;
  /** The logo of dark mails, if it differs. */
  dark: Picture | undefined;
  width: number;
  height: number;
}

/** The logo of the pages in Gatehouse's accent colours, in twice the displayed size. */
const ARCH_LIGHT = new URL('arch-light.png', import.meta.url);
const ARCH_DARK = new URL('arch-dark.png', import.meta.url);
const HEIGHT = 32;
const WIDTH_MAX = 160;

/** The brand's logo, or ours if the brand has its colours; `undefined` if there is none that mails can show. */
export function mailLogoOf({ logo, mailLogo, mailLogoDark, accent }: Brand): MailLogo | undefined {
  if (mailLogo !== undefined) {
    const { width, height } = sizeOfPng(mailLogo.bytes);
    const scale = Math.min(HEIGHT / height, WIDTH_MAX / width);
    return {
      light: pictureOf(mailLogo.bytes),
      dark: mailLogoDark && pictureOf(mailLogoDark.bytes),
      width: Math.max(1, Math.round(width * scale)),
      height: Math.max(1, Math.round(height * scale)),
    };
  }
  if (logo !== undefined || !isDeepStrictEqual(accent, readBrand(undefined).accent)) return undefined;
  const [light, dark] = [pictureOf(readFileSync(ARCH_LIGHT)), pictureOf(readFileSync(ARCH_DARK))];
  return { light, dark, width: HEIGHT, height: HEIGHT };
}

/** Named by its content, as mail programs may cache images by name. */
function pictureOf(png: Buffer): Picture {
  const hash = createHash('sha256').update(png).digest('hex').slice(0, 16);
  return { cid: `logo-${hash}@gatehouse`, png };
}
