import { createHash } from 'node:crypto';
import { sizeOfPng, type Brand } from '@gatehouse/brand';
import { drawArch } from './draw-arch.ts';

/** A picture that a mail brings along; `cid` is what its HTML calls it (RFC 2392). */
export interface Picture {
  cid: string;
  png: Buffer;
}

/** The logo of a mail's head, with the size that it is shown in, in CSS pixels. */
export interface MailLogo {
  light: Picture;
  /** For dark mails, where it is another. */
  dark: Picture | undefined;
  width: number;
  height: number;
}

const HEIGHT = 32;
const WIDTH_MAX = 160;

/** The brand's logo; the arch in its accent for who has none; nothing where the logo is no picture for mails. */
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
  if (logo !== undefined) return undefined;
  const [light, dark] = [accent.light, accent.dark].map((colour) => pictureOf(drawArch(colour)));
  return light && { light, dark, width: HEIGHT, height: HEIGHT };
}

/** Named by its content, as programs may keep pictures by their names. */
function pictureOf(png: Buffer): Picture {
  const hash = createHash('sha256').update(png).digest('hex').slice(0, 16);
  return { cid: `logo-${hash}@gatehouse`, png };
}
